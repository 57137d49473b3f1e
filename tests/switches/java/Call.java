import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/** Makes the one call that the vectors ask for, and reports on it (protocol: idempact.vectors.client). */
final class Call {
    static final String KEY = System.getenv("VECTOR_KEY"); // null: none
    static final String BODY = System.getenv("VECTOR_BODY");

    /** Sends a call, and tells the last answer's status; Refused where its library throws an answer. */
    interface Sender {
        int send(URI uri) throws Exception;
    }

    /** An answer that is no success, for a library that retries only what is thrown. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1;
        final int status;

        Refused(int status) {
            super("HTTP " + status);
            this.status = status;
        }
    }

    private Call() {}

    static void report(Sender sender) throws Exception {
        rehearse(sender);
        long start = System.nanoTime();
        Integer status;
        try {
            status = sender.send(URI.create(System.getenv("VECTOR_URL")));
        } catch (Refused refused) {
            status = refused.status;
        } catch (IOException error) {
            status = null;
        }
        boolean ok = status != null && status >= 200 && status < 300;
        long elapsed = (System.nanoTime() - start) / 1_000_000;
        System.out.println("{\"ok\": " + ok + ", \"status\": " + status + ", \"kind\": \"\", \"elapsed_ms\": " + elapsed + "}");
        System.exit(0);
    }

    /** One call to a server of its own: loading classes would else take time from the first attempt's limit. */
    private static void rehearse(Sender sender) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes());
            exchange.close();
        });
        server.start();
        try {
            sender.send(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        } catch (IOException late) {
            // on a busy machine, in spite of its retries: what was to be loaded is loaded
        }
        server.stop(0);
    }
}
