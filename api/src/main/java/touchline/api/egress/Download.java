package touchline.api.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.jspecify.annotations.Nullable;
import touchline.api.egress.EgressException.Kind;

/** Fetches one file. One thread. */
final class Download {
    private static final int MAX_REDIRECTS = 5;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-.*");
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Egress egress;
    private final DownloadLimits limits;
    private final LongConsumer progress;
    private final long endNs;

    // The bytes that are stored, and the version of the file that they belong to.
    private long sizeBytes;
    private @Nullable String entityTag;

    /** The result of a request: the whole file, or a redirect. */
    private sealed interface Step {
        record Done() implements Step {}

        record Redirect(URI url) implements Step {}
    }

    Download(Egress egress, DownloadLimits limits, LongConsumer progress) {
        this.egress = egress;
        this.limits = limits;
        this.progress = progress;
        this.endNs = System.nanoTime() + limits.total().toNanos();
    }

    long fetch(URI url, Path to) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        to,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            int broken = 0;
            while (true) {
                long before = sizeBytes;
                try {
                    follow(url, file);
                    return sizeBytes;
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                } catch (EgressException e) {
                    broken = sizeBytes > before ? 1 : broken + 1;
                    if (!canGoOn(e) || broken >= limits.tries()) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Whether another request may help. */
    private static boolean canGoOn(EgressException e) {
        return switch (e.kind()) {
            case BROKEN, TIMEOUT, UNREACHABLE -> true;
            case REFUSED, UNRESOLVED, TLS, TOO_LARGE, STATUS -> false;
        };
    }

    private void follow(URI from, FileChannel file) throws IOException {
        URI url = from;
        for (int hop = 0; hop <= MAX_REDIRECTS; hop++) {
            switch (step(url, file)) {
                case Step.Done() -> {
                    return;
                }
                case Step.Redirect(var next) -> url = next;
            }
        }
        throw new EgressException(Kind.STATUS, "more than " + MAX_REDIRECTS + " redirects");
    }

    private Step step(URI url, FileChannel file) throws IOException {
        HttpGet request = new HttpGet(url);
        if (sizeBytes > 0 && entityTag != null) {
            request.setHeader("Range", "bytes=" + sizeBytes + "-");
            request.setHeader("If-Range", entityTag);
        }
        long leftNs = endNs - System.nanoTime();
        if (leftNs <= 0) {
            throw new EgressException(Kind.TIMEOUT, "not the whole file within the time allowed");
        }
        EgressLimits each =
                new EgressLimits(limits.silence(), Duration.ofNanos(leftNs), limits.maxBytes());
        return egress.exchange(request, each, response -> read(response, url, file));
    }

    private Step read(ClassicHttpResponse response, URI url, FileChannel file) throws IOException {
        int status = response.getCode();
        if (REDIRECTS.contains(status)) {
            return new Step.Redirect(next(url, response));
        }
        if (status != 200 && status != 206) {
            throw EgressException.ofStatus(status);
        }
        begin(response, file);
        if (response.getEntity() == null) {
            return new Step.Done();
        }
        long announced = response.getEntity().getContentLength();
        if (announced > limits.maxBytes() - sizeBytes) {
            throw tooLarge();
        }
        OutputStream out = Channels.newOutputStream(file);
        InputStream in = response.getEntity().getContent();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (read > limits.maxBytes() - sizeBytes) {
                throw tooLarge();
            }
            write(out, buffer, read);
            sizeBytes += read;
            progress.accept(sizeBytes);
        }
        return new Step.Done();
    }

    /**
     * @throws UncheckedIOException from this disk: the connection did not fail
     */
    private static void write(OutputStream file, byte[] bytes, int count) {
        try {
            file.write(bytes, 0, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A whole answer starts the file anew. A part has to follow the bytes that are stored. */
    private void begin(ClassicHttpResponse response, FileChannel file) throws IOException {
        if (response.getCode() == 206) {
            Header range = response.getFirstHeader("Content-Range");
            Matcher start = RANGE.matcher(range == null ? "" : range.getValue());
            if (!start.matches() || Long.parseLong(start.group(1)) != sizeBytes) {
                throw new EgressException(Kind.STATUS, "the server sent another part of the file");
            }
        } else {
            sizeBytes = 0;
            Header tag = response.getFirstHeader("ETag");
            // A weak tag does not promise the same bytes (RFC 9110, 13.1.5).
            entityTag = tag == null || tag.getValue().startsWith("W/") ? null : tag.getValue();
        }
        try {
            file.truncate(sizeBytes);
            file.position(sizeBytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URI next(URI url, ClassicHttpResponse response) throws EgressException {
        Header location = response.getFirstHeader("Location");
        try {
            URI next = url.resolve(new URI(location == null ? "" : location.getValue()));
            boolean web = "http".equals(next.getScheme()) || "https".equals(next.getScheme());
            boolean weaker = "https".equals(url.getScheme()) && "http".equals(next.getScheme());
            if (web && !weaker && next.getHost() != null && next.getRawUserInfo() == null) {
                return next;
            }
        } catch (URISyntaxException _) {
            // Rejected below.
        }
        throw new EgressException(
                Kind.STATUS, "the server redirects to an address that is not accepted");
    }

    private static EgressException tooLarge() {
        return new EgressException(Kind.TOO_LARGE, "the file is larger than allowed");
    }
}
