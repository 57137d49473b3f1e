"""Claims as ideas that meet in a sentence: whole in every language, found in any order, not across a clause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from idempact.prose.passage import OPAQUE
from idempact.wording.claims import (
    claims,
    first_ideas,
    idea,
    ideas,
    languages_with_ideas,
    likely_languages,
    triggers_of_ideas,
)
from idempact.wording.fold import fold
from idempact.wording.match import match
from idempact.wording.phrasebook import Incomplete, tongues
from idempact.wording.scan import candidates

_FIRST = [(language, name) for language in languages_with_ideas() for name in sorted(first_ideas())]


def test_every_language_that_is_judged_has_its_ideas() -> None:
    assert set(languages_with_ideas()) == {tongue.language for tongue in tongues()}


@pytest.mark.parametrize("language", languages_with_ideas())
def test_every_idea_that_a_claim_names_has_words_and_none_goes_unused(language: str) -> None:
    named = {name for claim in claims() for name in claim.ideas}
    assert set(ideas(language).patterns) == named
    for name in named:
        assert idea(language, name).pattern


@pytest.mark.parametrize(("language", "name"), _FIRST)
@settings(max_examples=12, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_no_first_idea_goes_without_a_trigger(language: str, name: str, data: st.DataObject) -> None:
    text = fold(data.draw(st.from_regex(idea(language, name)))).text
    assume(idea(language, name).search(text))
    listed = {trigger for trigger, places in triggers_of_ideas().items() if (language, name) in places}
    assert any(trigger in text for trigger in listed), text
    assert listed.intersection(candidates(text)), text


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("Nobody is ever billed twice.", "never-duplicate"),
        ("Billed twice? Under our queue nobody ever is billed twice.", "never-duplicate"),
        ("That a seat is sold to two people is out of the question.", "never-duplicate"),
        ("Resend the batch until your fingers hurt.", "retry-forever"),
        ("As often as you like you may resend the batch.", "retry-forever"),
        ("For the key, take the MD5 of the body.", "body-hash-key"),
        ("The MD5 of the body serves as the key.", "body-hash-key"),
    ],
)
def test_ideas_meet_in_any_order(sentence: str, rule: str) -> None:
    assert f"prose/{rule}" in {hit.phrase.id for hit in match(sentence)}


@pytest.mark.parametrize(
    "sentence",
    [
        "If the key is never sent, the order may be created twice.",
        "No answer came, so the client was billed twice.",
        "The card is charged twice; nobody noticed.",
        "| never charged | billed twice |",
        "We can't promise that nobody is billed twice.",
        "Can it be that nobody is billed twice?",
        "Tests assert that nobody is billed twice.",
    ],
)
def test_ideas_of_other_clauses_make_no_claim_and_an_honest_one_is_let_go(sentence: str) -> None:
    assert not match(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        # A definition compares: the same as once.
        "An operation is idempotent if running it again has the same effect as running it only once.",
        "Idempotent heisst: Die Wiederholung hat dasselbe Ergebnis wie eine Anfrage, die nur einmal ausgeführt wird.",
        "Une opération idempotente a le même effet que si elle était exécutée une seule fois.",
        "Una operación idempotente da el mismo resultado que al ejecutarla una sola vez.",
        "Uma operação idempotente dá o mesmo resultado que executá-la uma única vez.",
        "幂等是指操作执行多次与只执行一次的结果相同。",
        "冪等とは、何度か実行した結果が1回だけ実行した場合と同じになる性質です。",
        "멱등성이란 여러 차례 실행한 결과가 한 번만 실행했을 때와 같은 성질입니다.",
        # A wish promises nothing.
        "It is important that the payment is executed exactly once.",
        "Wichtig ist, dass die Zahlung genau einmal ausgeführt wird.",
        "Il est essentiel que le paiement soit exécuté exactement une fois.",
        "Es fundamental que el pago se ejecute exactamente una vez.",
        "É fundamental que o pagamento seja executado exatamente uma vez.",
        "付款只执行一次非常重要。",
        "支払いが1回だけ実行されることが重要です。",
        "결제가 정확히 한 번만 실행되는 것이 중요합니다.",
        # At least once is no promise of more.
        "The queue guarantees at-least-once delivery of every message.",
        "Die Warteschlange garantiert die Zustellung mindestens einmal.",
        "La file garantit la livraison au moins une fois.",
        "La cola garantiza la entrega al menos una vez.",
        "A fila garante a entrega pelo menos uma vez.",
        "队列保证至少一次投递。",
        "キューは少なくとも1回の配信を保証します。",
        "큐는 최소 한 번의 전달을 보장합니다.",
    ],
)
def test_definitions_wishes_and_at_least_once_are_let_go(sentence: str) -> None:
    assert not match(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        # A schedule says when.
        "The export runs exactly once every night.",
        "对账每天凌晨只执行一次。",
        "集計ジョブは毎晩一回だけ走ります。",
        "배치는 매일 한 번만 실행됩니다.",
        # The reader's own code is theirs to get right.
        "Make sure that your worker pays the vendor only once.",
        "请在您自己的服务里保证同一事件只处理一次。",
        "イベントが一度だけ処理されるように実装してください。",
        "이벤트를 한 번만 처리하도록 서버에서 이벤트 ID를 저장해 두세요.",
        # What was believed, or would be a lie, isn't claimed.
        "We used to believe that our API was fully idempotent.",
        "Saying that no event is ever lost would be an exaggeration.",
        "我们曾以为重复扣款已经杜绝。",
        "以前は完全に冪等だと思っていました。",
        "예전에는 API가 완전히 멱등하다고 믿었습니다.",
        # Less is not none, and a rule about names is none about work.
        "The key lowers the chance of a duplicate charge without eliminating it.",
        "重复扣款的问题至今没有彻底消失。",
        "重複が完全に排除されるとは言えません。",
        "주문 번호는 중복될 수 없습니다.",
    ],
)
def test_schedules_advice_and_beliefs_of_the_past_are_let_go(sentence: str) -> None:
    assert not match(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The SDK makes sure that your customer is charged only once.",
        "The header removes any possibility of a second transfer.",
        "The key eradicates duplicate invoices for good.",
        "Each file is imported once and once only.",
        "接入之后，重复扣款的问题将彻底消失。",
        "顾客不会因为重复点击而多付一次钱。",
        "所有回调一个都不会少。",
        "伝票は何度送っても 1 枚しか印刷されません。",
        "重複したリクエストは例外なく排除されます。",
        "중복 메시지는 예외 없이 버려집니다.",
        "메시지가 누락되거나 중복될 수 없습니다.",
        "아무 때나 재시도해도 안전합니다.",
    ],
)
def test_the_end_of_duplicates_is_found_by_whatever_verb(sentence: str) -> None:
    assert match(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Billed twice? Never.",
        "Doppelt belastet? Unmöglich.",
        "Débité deux fois ? Jamais.",
        "¿Cobro doble? Imposible.",
        "Cobrança dupla? Nunca.",
        "重复扣款?不可能。",
        "二重請求?ありえません。",
        "이중 청구요? 불가능합니다.",
    ],
)
def test_a_question_and_its_answer_make_one_claim(sentence: str) -> None:
    assert "prose/never-duplicate" in {hit.phrase.id for hit in match(sentence)}


@pytest.mark.parametrize(
    "sentence",
    [
        # Schedules and periods count something else than repeats.
        "Der Abgleich läuft genau einmal täglich.",
        "La demande ne peut être déposée qu'une seule fois par trimestre.",
        "El respaldo se ejecuta una sola vez al día.",
        "O fechamento diário é executado uma única vez, às três da manhã.",
        # To say so would be a lie, or was a mistake.
        "Zu sagen, die API sei völlig idempotent, wäre übertrieben.",
        "Promettre qu'aucun message ne se perd serait mentir.",
        "Creíamos que la API era totalmente idempotente y nos equivocamos.",
        "Prometer que o cliente nunca é cobrado duas vezes seria desonesto.",
        # A smaller risk is still one.
        "Der Schlüssel senkt das Risiko von Doppelbuchungen, schließt sie aber nicht aus.",
        "Le risque de double débit ne disparaît pas.",
        "El riesgo de cobrar dos veces no desaparece.",
        "A chave reduz o risco de cobrança duplicada, porém não o elimina por completo.",
        # The reader's own code is theirs.
        "Stellen Sie im eigenen Dienst sicher, dass jede Nachricht nur einmal verbucht wird.",
        "Veillez, côté serveur, à ne traiter chaque message qu'une seule fois.",
        "Asegúrese, en su código, de que cada evento se procese una sola vez.",
        "Garanta, na sua aplicação, que nenhum evento seja processado duas vezes.",
    ],
)
def test_schedules_lies_smaller_risks_and_the_readers_code_are_let_go(sentence: str) -> None:
    assert not match(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Unser Gateway blockiert ausnahmslos alle Doppelbuchungen.",
        "Die Gefahr einer Doppelbuchung ist damit gebannt.",
        "Angst vor Doppelbuchungen? Mit unserem SDK kommt das nie vor.",
        "Notre passerelle bloque absolument tous les doublons.",
        "Le risque de double débit disparaît.",
        "Peur d'être débité deux fois ? Avec notre SDK, cela n'arrive jamais.",
        "El SDK bloquea el 100 % de las peticiones repetidas.",
        "El riesgo de cobrar dos veces desaparece con la clave.",
        "¿Cobros duplicados? Con nosotros eso no pasa.",
        "O gateway bloqueia 100% das cobranças duplicadas.",
        "O risco de cobrar duas vezes desaparece com a chave.",
        "Medo de cobrar duas vezes? Com o nosso SDK isso nunca acontece.",
    ],
)
def test_what_stops_every_repeat_or_ends_its_risk_is_a_claim(sentence: str) -> None:
    assert "prose/never-duplicate" in {hit.phrase.id for hit in match(sentence)}


@pytest.mark.parametrize(
    "sentence",
    [
        "A duplicate payout? Our ledger won't allow it.",
        "Your seat is booked once, however bad the connection.",
        "Call it ten times or a thousand times; the effect is the same.",
        "Neither a crash nor a timeout can cause a second charge.",
        "Repeated submissions are rejected without exception.",
        "Es kommt nicht vor, dass eine Zahlung zweimal gebucht wird.",
        "Genau einmalige Zustellung gehört zum Lieferumfang.",
        "Ni un reinicio ni un corte pueden provocar un segundo cobro.",
        "Las órdenes repetidas se descartan siempre.",
        "L'unicité des commandes est toujours assurée.",
        "Em momento algum um pedido é processado duas vezes.",
    ],
)
def test_answers_causes_and_whatever_happens_make_claims(sentence: str) -> None:
    assert match(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Two charges for one order? That can happen when the key has expired.",
        "An authorization can be captured only once.",
        "A budget prevents callers from resending indefinitely.",
        "Apply the migration only once per database.",
        "Every repeated header is dropped by the parser.",
        "Neither side should create a second ledger.",
        "Duplikate kommen nicht selten vor.",
        "Eine Zusage, dass jede Zahlung nur einmal ausgeführt wird, machen wir nicht.",
        "Hemos retirado la promesa de entrega exactamente una vez.",
        "No es imposible que se cobre dos veces.",
        "Ningún error genera otro intento automático.",
        "Il arrive qu'une commande soit passée deux fois ; écrivez-nous.",
        "Em momento algum envie o mesmo formulário duas vezes.",
    ],
)
def test_withdrawn_promises_limits_and_what_can_happen_are_let_go(sentence: str) -> None:
    assert not match(sentence)


def test_what_stands_within_an_idea_denies_no_claim() -> None:
    """The verb stands within "no se imprimirán nunca", so its "nunca" is no word between two ideas."""
    hits = match("No se imprimirán nunca dos etiquetas para un mismo envío.")
    assert "prose/never-duplicate" in {hit.phrase.id for hit in hits}


def test_what_a_phrase_tells_is_told_in_its_words() -> None:
    (hit,) = match("Payments run exactly once.")
    assert hit.words == "exactly once"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the key is sent with every attempt", "en"),
        ("der schlussel wird bei jedem versuch gesendet", "de"),
        ("la cle est envoyee avec chaque tentative", "fr"),
        ("la clave se envia con cada intento", "es"),
        ("a chave e enviada pelo cliente em cada uma das tentativas", "pt"),
        ("每次请求都会带上这个键", "zh"),
        ("再試行のたびに同じキーを送ります", "ja"),
        ("시도할 때마다 같은 키를 보냅니다", "ko"),
    ],
)
def test_small_words_tell_the_language(text: str, language: str) -> None:
    assert likely_languages(text) == {language}


@given(st.text())
def test_any_text_has_a_likely_language(text: str) -> None:
    assert likely_languages(text) <= set(languages_with_ideas())
    assert likely_languages(text)


_RULE = "title: A.\nclaims:\n  - {claim}\nlanguages:\n"


@pytest.mark.parametrize("claim", ["'!never twice'", "'twice  never'", "'Twice'", "'twice,,never'", "[]", "''"])
def test_a_claim_that_is_no_list_of_ideas_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claim: str
) -> None:
    path = tmp_path / "a_rule.yml"
    path.write_text(_RULE.format(claim=claim), encoding="utf-8")
    monkeypatch.setattr("idempact.wording.claims.phrase_files", lambda: [path])
    with pytest.raises(Incomplete, match=r"a_rule\.yml"):
        claims.__wrapped__()


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("Each order is billed one time and one time only.", "exactly-once"),
        ("Wir garantieren, dass jede Zahlung genau einmal verarbeitet wird.", "exactly-once"),
        ("Nous garantissons que le paiement est traité exactement une fois.", "exactly-once"),
        ("Garantizamos que el pago se procesa exactamente una vez.", "exactly-once"),
        ("Garantimos que o pagamento é processado exatamente uma vez.", "exactly-once"),
        ("每笔付款只会执行一次。", "exactly-once"),
        ("支払いは必ず一度だけ処理されます。", "exactly-once"),
        ("결제는 정확히 한 번만 처리됩니다.", "exactly-once"),
        ("PATCH calls are inherently idempotent.", "idempotent-by-nature"),
    ],
)
def test_what_two_rules_say_of_the_same_words_is_told_once(sentence: str, rule: str) -> None:
    assert [hit.phrase.id for hit in match(sentence)] == [f"prose/{rule}"]


def test_a_rule_tells_what_it_would_yield_where_it_stands_apart() -> None:
    text = "Each job runs exactly once. The key guarantees that the transfer happens only once."
    assert [hit.phrase.id for hit in match(text)] == ["prose/exactly-once", "prose/only-once-promise"]


@pytest.mark.parametrize(
    "sentence",
    [
        # What happens within one process is no promise about a network.
        "We call `onComplete` exactly once.",
        "The `onSuccess` handler is called exactly once.",
        "Der Callback wird genau einmal aufgerufen.",
        "Le gestionnaire est appelé exactement une fois.",
        "El manejador se llama exactamente una vez.",
        "O manipulador é chamado exatamente uma vez.",
        "回调函数只会被调用一次。",
        "コールバックは正確に1回呼び出されます。",
        "콜백은 정확히 한 번 호출됩니다.",
        # A rule of syntax.
        "You must declare each dependency exactly once in `package.json`.",
        "Jede Abhängigkeit muss genau einmal deklariert werden.",
        "Chaque dépendance doit être déclarée exactement une fois.",
        # A test, and an instruction.
        "It's tested that the handler runs exactly once.",
        "Make sure that the script is run only once.",
        "Das Skript darf nur einmal ausgeführt werden.",
        "Le script ne doit être exécuté qu'une seule fois.",
        "El script solo debe ejecutarse una vez.",
        "O script só deve ser executado uma vez.",
        "脚本只能执行一次。",
        "スクリプトは一度だけ実行してください。",
        "스크립트는 한 번만 실행해야 합니다.",
        # What a file or a table holds once.
        "It ensures that there are no duplicate rows in the CSV file.",
        "Column `email` has a unique index, so no duplicate emails exist.",
        "No duplicates of the library may be on the class path.",
    ],
)
def test_callbacks_syntax_tests_instructions_and_unique_columns_are_let_go(sentence: str) -> None:
    assert not match(re.sub("`[^`]*`", OPAQUE, sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "The webhook is called exactly once.",
        "We make sure that the payment is run only once.",
        "Column and all: a unique index sees to it that no duplicate charges exist.",
        "Die Zahlung wird nur einmal ausgeführt.",
        "付款只执行一次。",
    ],
)
def test_what_a_network_carries_is_still_told(sentence: str) -> None:
    assert match(sentence)
