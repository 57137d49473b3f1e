import java.net.URI;
import java.time.Duration;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** OkHttp, whose retries are on as it comes. */
final class OkHttp {
    private static final OkHttpClient CLIENT = new OkHttpClient.Builder()
            .retryOnConnectionFailure(true)
            .connectTimeout(Duration.ofMillis(500))
            .readTimeout(Duration.ofSeconds(1))
            .build();

    public static void main(String[] arguments) throws Exception {
        Call.report(OkHttp::send);
    }

    private static int send(URI uri) throws Exception {
        Request.Builder request = new Request.Builder()
                .url(uri.toString())
                .post(RequestBody.create(Call.BODY, MediaType.get("application/json")));
        if (Call.KEY != null) {
            request.header("Idempotency-Key", Call.KEY);
        }
        try (Response response = CLIENT.newCall(request.build()).execute()) {
            response.body().bytes();
            return response.code();
        }
    }
}
