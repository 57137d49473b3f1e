import com.sun.net.httpserver.HttpServer
import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import io.ktor.client.plugins.HttpRequestRetry
import io.ktor.client.plugins.HttpTimeout
import io.ktor.client.request.header
import io.ktor.client.request.post
import io.ktor.client.request.setBody
import io.ktor.client.statement.bodyAsText
import io.ktor.http.ContentType
import io.ktor.http.content.TextContent
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import kotlin.system.exitProcess
import kotlin.time.TimeSource
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking

/** ktor's HttpRequestRetry; with `timeout` for what comes too late, too (protocol: idempact.vectors.client). */
fun main(arguments: Array<String>): Unit = runBlocking(Dispatchers.Default) {
    val client = HttpClient(Java) {
        install(HttpRequestRetry) {
            retryOnExceptionOrServerErrors(maxRetries = 3)
            if ("timeout" in arguments) retryOnException(maxRetries = 3, retryOnTimeout = true)
            exponentialDelay(base = 2.0, baseDelayMs = 100, maxDelayMs = 800, randomizationMs = 100)
        }
        install(HttpTimeout) {
            connectTimeoutMillis = 500
            requestTimeoutMillis = 1000
        }
    }
    rehearse(client)
    val start = TimeSource.Monotonic.markNow()
    val status = call(client, System.getenv("VECTOR_URL"))
    val elapsed = start.elapsedNow().inWholeMilliseconds
    println("""{"ok": ${status in 200..299}, "status": $status, "kind": "", "elapsed_ms": $elapsed}""")
    exitProcess(0)
}

/** The last answer's status; null: there was none. */
private suspend fun call(client: HttpClient, url: String): Int? = try {
    val answer = client.post(url) {
        System.getenv("VECTOR_KEY")?.let { header("Idempotency-Key", it) }
        setBody(TextContent(System.getenv("VECTOR_BODY"), ContentType.Application.Json))
    }
    answer.bodyAsText()
    answer.status.value
} catch (error: IOException) {
    null
} catch (cutOff: CancellationException) { // nobody cancels: ktor tells of some answers that break off in this way
    null
}

/** One call to a server of its own: loading classes would else take time from the first attempt's limit. */
private suspend fun rehearse(client: HttpClient) {
    val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1)
    server.createContext("/") { exchange ->
        exchange.requestBody.readAllBytes()
        exchange.sendResponseHeaders(200, 2)
        exchange.responseBody.write("{}".toByteArray())
        exchange.close()
    }
    server.start()
    call(client, "http://127.0.0.1:${server.address.port}")
    server.stop(0)
}
