package touchline.api.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.egress.EgressException.Kind;
import touchline.media.net.AddressRules;

/** Fetching files from servers that break off, change their mind, or lead elsewhere. */
final class DownloadIT {
    @TempDir private Path folder;

    private final RawReceiver receiver = new RawReceiver(RawReceiver.status(200));
    private final Egress egress = new Egress(AddressRules.allowing(List.of("127.0.0.0/8")));

    @AfterEach
    void close() {
        egress.close();
        receiver.close();
    }

    private static Kind kind(Executable call) {
        return assertThrows(EgressException.class, call).kind();
    }

    @Test
    void download_thatBreaks_isTakenUpWhereItBroke() throws Exception {
        AtomicInteger call = new AtomicInteger();
        receiver.behave(
                (request, out) -> {
                    if (call.getAndIncrement() == 0) {
                        RawReceiver.write(out, RawReceiver.head(200, 10, "ETag: \"v1\"") + "01234");
                        return false;
                    }
                    assertEquals("bytes=5-", request.header("Range"));
                    assertEquals("\"v1\"", request.header("If-Range"));
                    RawReceiver.write(
                            out, RawReceiver.head(206, 5, "Content-Range: bytes 5-9/10") + "56789");
                    return true;
                });
        Path to = folder.resolve("input");

        assertEquals(10, egress.download(receiver.url("/a"), to, downloads(100), _ -> {}));
        assertEquals("0123456789", Files.readString(to));
    }

    @Test
    void download_whoseFileChangedMeanwhile_startsAnew() throws Exception {
        AtomicInteger call = new AtomicInteger();
        receiver.behave(
                (_, out) -> {
                    if (call.getAndIncrement() == 0) {
                        RawReceiver.write(out, RawReceiver.head(200, 10, "ETag: \"v1\"") + "01234");
                        return false;
                    }
                    RawReceiver.write(out, RawReceiver.head(200, 3, "ETag: \"v2\"") + "abc");
                    return true;
                });
        Path to = folder.resolve("input");

        assertEquals(3, egress.download(receiver.url("/a"), to, downloads(100), _ -> {}));
        assertEquals("abc", Files.readString(to));
    }

    @Test
    void download_ofTooMuch_isRefused() {
        Path to = folder.resolve("input");
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(200, 101) + "x");
                    return receiver.never();
                });
        assertEquals(
                Kind.TOO_LARGE,
                kind(() -> egress.download(receiver.url("/"), to, downloads(100), _ -> {})));

        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, "HTTP/1.1 200 OK\r\n\r\n");
                    while (true) {
                        out.write(new byte[4_096]);
                    }
                });
        assertEquals(
                Kind.TOO_LARGE,
                kind(() -> egress.download(receiver.url("/"), to, downloads(100), _ -> {})));
    }

    @Test
    void download_redirected_isCheckedAtEachHop() throws Exception {
        receiver.behave(
                (request, out) -> {
                    boolean first = request.line().startsWith("GET /a ");
                    RawReceiver.write(
                            out,
                            first
                                    ? RawReceiver.head(302, 0, "Location: /b")
                                    : RawReceiver.head(200, 2) + "ok");
                    return true;
                });
        Path to = folder.resolve("input");
        assertEquals(2, egress.download(receiver.url("/a"), to, downloads(100), _ -> {}));

        for (String inside :
                List.of("http://169.254.169.254/", "https://10.0.0.1/", "http://[::1]/")) {
            receiver.behave(RawReceiver.status(302, "Location: " + inside));
            assertEquals(
                    Kind.REFUSED,
                    kind(() -> egress.download(receiver.url("/"), to, downloads(100), _ -> {})),
                    inside);
        }
        for (String nowhere : List.of("file:///etc/passwd", "/again", "http://u@127.0.0.1/")) {
            receiver.behave(RawReceiver.status(302, "Location: " + nowhere));
            assertEquals(
                    Kind.STATUS,
                    kind(() -> egress.download(receiver.url("/"), to, downloads(100), _ -> {})),
                    nowhere);
        }
    }

    /** A full device: every write to it fails. */
    @Test
    void download_thatCannotBeWritten_isNoFailureOfTheServer() {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(200, 2) + "ok");
                    return true;
                });

        IOException failure =
                assertThrows(
                        IOException.class,
                        () ->
                                egress.download(
                                        receiver.url("/a"),
                                        Path.of("/dev/full"),
                                        downloads(100),
                                        _ -> {}));
        assertFalse(failure instanceof EgressException, failure::toString);
    }

    @Test
    void download_answeredWithAnError_carriesTheStatus() {
        receiver.behave(RawReceiver.status(503));

        EgressException failure =
                assertThrows(
                        EgressException.class,
                        () ->
                                egress.download(
                                        receiver.url("/a"),
                                        folder.resolve("input"),
                                        downloads(100),
                                        _ -> {}));
        assertEquals(OptionalInt.of(503), failure.httpStatus());
    }

    private static DownloadLimits downloads(long maxBytes) {
        return new DownloadLimits(Duration.ofSeconds(10), Duration.ofSeconds(20), maxBytes, 3);
    }
}
