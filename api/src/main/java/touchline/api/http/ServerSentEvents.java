package touchline.api.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import touchline.api.access.AccessTokens;
import touchline.api.domain.AccessToken;

/**
 * Writes server-sent events (HTML, section 9.2) for a limited time, with comments that keep the
 * connection open, as long as the caller's token is valid. One thread.
 */
final class ServerSentEvents {
    static final String TYPE = "text/event-stream";

    /** How often the token is checked: the longest wait for the next event. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final OutputStream out;
    private final AccessTokens tokens;
    private final AccessToken caller;
    private final long endNs;
    private long sentNs;
    private long checkedNs;

    ServerSentEvents(OutputStream out, AccessTokens tokens, AccessToken caller, Duration atMost) {
        this.out = out;
        this.tokens = tokens;
        this.caller = caller;
        sentNs = System.nanoTime();
        checkedNs = sentNs;
        endNs = sentNs + atMost.toNanos();
    }

    /** No further client may watch now. */
    static ApiException tooMany() {
        return ApiException.retryLater(
                ErrorCode.OVERLOADED, "too many watch already", Duration.ofSeconds(10));
    }

    /**
     * Called at least once in {@link #PATIENCE}.
     *
     * @return false when the time is over, or the token is not valid any more
     */
    boolean goOn() throws IOException {
        long nowNs = System.nanoTime();
        if (nowNs - checkedNs >= PATIENCE.toNanos()) {
            if (!tokens.isValid(caller)) {
                comment("the token is revoked or expired");
                return false;
            }
            checkedNs = nowNs;
        }
        if (nowNs - sentNs >= HEARTBEAT.toNanos()) {
            comment("still here");
        }
        return nowNs - endNs < 0;
    }

    void comment(String text) throws IOException {
        send(": " + text + "\n\n");
    }

    /**
     * Sends an event.
     *
     * @param data one line
     */
    void event(String name, String data) throws IOException {
        send("event: " + name + "\ndata: " + data + "\n\n");
    }

    /**
     * Sends an event with an id.
     *
     * @param data one line
     */
    void event(String id, String name, String data) throws IOException {
        send("id: " + id + "\nevent: " + name + "\ndata: " + data + "\n\n");
    }

    private void send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        sentNs = System.nanoTime();
    }
}
