package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Bytes of an HTTP/1.1 connection to the real pipeline. The first byte is the size of what the
 * network delivers at once. However the bytes are cut, the same answers come; each begins with a
 * status that the playback port uses; nothing is left behind.
 */
public final class Http1FuzzTarget implements FuzzTarget {
    private static final Pattern STATUS =
            Pattern.compile(
                    "HTTP/1\\.1 (100|200|204|206|304|400|403|404|405|413|414|416|431|501|503) ");

    private static final String ID_OF_HEAD = "x-request-id: ";
    private static final String ID_OF_BODY = "\"request_id\":\"";
    private static final int UUID_CHARACTERS = 36;

    private final NettyMediaMemory memory = new NettyMediaMemory();

    @Override
    public String name() {
        return "http1";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                seed("GET /id/ses/s1.m4s HTTP/1.1", "Host: t"),
                seed(
                        "GET /id/ses/media.m3u8?_HLS_msn=1&_HLS_part=0 HTTP/1.1",
                        "Host: t",
                        "Accept-Encoding: gzip"),
                seed(
                        "GET /id/ses/s1.m4s HTTP/1.1",
                        "Host: t",
                        "Range: bytes=1-2",
                        "",
                        "HEAD /id/ses/s1.m4s HTTP/1.1",
                        "Host: t"),
                seed("OPTIONS /id.m3u8 HTTP/1.0", "Connection: keep-alive"),
                seed("POST /id.m3u8 HTTP/1.1", "Host: t", "Content-Length: 3", "", "abc"),
                seed("GET /id.m3u8 HTTP/1.1", "Host: t", "Transfer-Encoding: chunked", "", "0"),
                seed("GET /id/ses/init0.mp4 HTTP/1.1", "Host: t", "If-None-Match: *"),
                seed("GET /frames/a.jpg?exp=1&sig=a HTTP/1.1", "Host: t", "Expect: x"));
    }

    private static byte[] seed(String... lines) {
        return ("\0" + String.join("\r\n", lines) + "\r\n\r\n").getBytes(ISO_8859_1);
    }

    /** Two connections with their pipelines and counters, and a session. */
    @Override
    public long maxAllocatedBytes(int inputBytes) {
        return (8L << 20) + 8_192L * inputBytes;
    }

    @Override
    public void read(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] wire = Arrays.copyOfRange(input, 1, input.length);
        int step = (input[0] & 0xff) == 0 ? wire.length : input[0] & 0xff;
        String whole = answers(wire, wire.length);
        if (step < wire.length) {
            String cut = answers(wire, step);
            require(cut.equals(whole), "whole: " + whole + ", in pieces: " + cut);
        }
        if (!whole.isEmpty()) {
            require(STATUS.matcher(whole).lookingAt(), "status: " + whole);
        }
    }

    private String answers(byte[] wire, int step) {
        var buffers = new UnpooledByteBufAllocator(false, true);
        FakePlayback session =
                new FakePlayback("ses", memory)
                        .blocks("s1", new byte[3])
                        .blocks("init0", new byte[5])
                        .multivariantNaming("ses/media.m3u8")
                        .limit(3)
                        .playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n");
        session.reached(1, OptionalInt.empty(), true);
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.channel.config().setAllocator(buffers);
        for (int at = 0; at < wire.length && viewer.channel.isOpen(); at += step) {
            viewer.channel.writeInbound(
                    buffers.buffer().writeBytes(wire, at, Math.min(step, wire.length - at)));
        }
        String answers = viewer.received();
        viewer.leave();
        viewer.received();
        viewer.leavesNothing(memory, session);
        long left = buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory();
        require(left == 0, "bytes of buffers left: " + left);
        return withoutIds(ID_OF_BODY, withoutIds(ID_OF_HEAD, answers));
    }

    /** By hand: the fuzzer watches each step of a regular expression, half of the time it had. */
    private static String withoutIds(String before, String answers) {
        StringBuilder others = new StringBuilder();
        int from = 0;
        for (int at = answers.indexOf(before); at >= 0; at = answers.indexOf(before, from)) {
            int id = at + before.length();
            others.append(answers, from, id);
            from = Math.min(id + UUID_CHARACTERS, answers.length());
        }
        return others.append(answers, from, answers.length()).toString();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
