import java.net.URI;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient, whose retries are on as it comes. */
final class Apache {
    private static final CloseableHttpClient CLIENT = HttpClients.custom()
            .setRetryStrategy(new DefaultHttpRequestRetryStrategy(3, TimeValue.ofMilliseconds(100)))
            .setDefaultRequestConfig(RequestConfig.custom().setResponseTimeout(Timeout.ofSeconds(1)).build())
            .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                    .setDefaultConnectionConfig(
                            ConnectionConfig.custom().setConnectTimeout(Timeout.ofMilliseconds(500)).build())
                    .build())
            .build();

    public static void main(String[] arguments) throws Exception {
        Call.report(Apache::send);
    }

    private static int send(URI uri) throws Exception {
        HttpPost request = new HttpPost(uri);
        request.setEntity(new StringEntity(Call.BODY, ContentType.APPLICATION_JSON));
        if (Call.KEY != null) {
            request.setHeader("Idempotency-Key", Call.KEY);
        }
        return CLIENT.execute(request, response -> {
            EntityUtils.consume(response.getEntity());
            return response.getCode();
        });
    }
}
