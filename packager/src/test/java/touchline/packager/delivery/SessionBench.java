package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Optional;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** A session with one of each, and single requests to it that leave nothing behind. */
final class SessionBench {
    static final String WINDOW = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n";
    static final String ANY_ID =
            "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

    final NettyMediaMemory memory = new NettyMediaMemory();
    final FakePlayback session =
            new FakePlayback("ses", memory)
                    .multivariantNaming("ses/media.m3u8")
                    .playlistText(PlaylistKind.WINDOW, 7, WINDOW)
                    .playlistText(PlaylistKind.WINDOW_DELTA, 7, "#EXTM3U\n#EXT-X-SKIP\n")
                    .playlistText(PlaylistKind.FULL, 7, "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n")
                    .blocks("init0", ascii("ftypmoov"))
                    .blocks("s7", ascii("moofmdat"), ascii("MOOFMDAT"))
                    .blocks("s7.1", ascii("MOOFMDAT"));
    final Live open = new Live(List.of(session), true, false, Optional.empty());
    final Live restricted = new Live(List.of(session), true, true, Optional.of("g.r-a_nt"));

    static byte[] ascii(String text) {
        return text.getBytes(ISO_8859_1);
    }

    static String body(String answer) {
        return answer.substring(answer.indexOf("\n\n") + 2);
    }

    static String withoutId(String answer) {
        return answer.replaceAll(ANY_ID, "<uuid>");
    }

    /** The answer to a GET; the session is empty afterwards. */
    String answer(PlaybackDecision decision, String target, String... headers) {
        return answerTo(decision, "GET", target, headers);
    }

    /** The answer to any request; the session is empty afterwards. */
    String answerTo(PlaybackDecision decision, String method, String target, String... headers) {
        Viewer viewer = new Viewer(Viewer.deciding(decision));
        StringBuilder request =
                new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: t\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        String answer = viewer.exchange(request.append("\r\n").toString());
        viewer.leavesNothing(memory, session);
        return answer;
    }
}
