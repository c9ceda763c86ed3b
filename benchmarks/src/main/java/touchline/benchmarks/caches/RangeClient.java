package touchline.benchmarks.caches;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Loads whole files and ranges of them. Any thread. */
final class RangeClient implements AutoCloseable {
    private static final Duration REPLY = Duration.ofMinutes(1);

    /**
     * @param contentRange the header Content-Range; empty without one
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Answer(int status, byte[] body, String contentRange) {}

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Answer get(URI address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address));
    }

    /**
     * Loads a range.
     *
     * @param first byte
     * @param last byte, which is included
     */
    Answer get(URI address, long first, long last) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address).header("Range", "bytes=" + first + "-" + last));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply =
                client.send(request.timeout(REPLY).build(), BodyHandlers.ofByteArray());
        return new Answer(
                reply.statusCode(),
                reply.body(),
                reply.headers().firstValue("Content-Range").orElse(""));
    }

    @Override
    public void close() {
        client.close();
    }
}
