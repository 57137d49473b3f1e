import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;

/** Resilience4j's Retry around the JDK's client, with an error for every answer that is no success. */
final class Resilience4j {
    public static void main(String[] arguments) throws Exception {
        Retry retry = Retry.of("send", RetryConfig.custom()
                .maxAttempts(4)
                .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(100, 2, 0.5, 800))
                .build());
        Call.report(uri -> retry.executeCallable(() -> {
            int status = JdkClient.send(uri);
            if (status >= 300) {
                throw new Call.Refused(status);
            }
            return status;
        }));
    }
}
