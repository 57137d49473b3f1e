import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The JDK's own client, which tries some failures once more without being asked. */
final class JdkClient {
    private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(Duration.ofMillis(500)).build();

    public static void main(String[] arguments) throws Exception {
        Call.report(JdkClient::send);
    }

    static int send(URI uri) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(1))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Call.BODY));
        if (Call.KEY != null) {
            request.header("Idempotency-Key", Call.KEY);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString()).statusCode();
    }
}
