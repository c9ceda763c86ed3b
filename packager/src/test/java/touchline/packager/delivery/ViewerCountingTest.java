package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.StreamId;
import touchline.packager.audience.Audience;
import touchline.packager.audience.StreamViewers;
import touchline.packager.audience.ViewerMinute;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** Which requests of which connections are viewers; by the whole pipeline. */
final class ViewerCountingTest {
    private static final String SEGMENT = "/p/ses_1/s7.m4s";

    private Instant now = Viewer.CLOCK.instant();
    private final Audience audience =
            new Audience(
                    new Audience.Limits(() -> 0, _ -> true),
                    () -> TimeUnit.MILLISECONDS.toNanos(now.toEpochMilli()),
                    () -> now);
    private final StreamViewers counted = audience.open(new StreamId("str_1"));
    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final FakePlayback rendition =
            new FakePlayback("ses_1", memory).blocks("s7", bytes("small"));
    private final FakePlayback session =
            new FakePlayback("ses_1", memory)
                    .multivariantNaming("ses_1/media.m3u8")
                    .playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n")
                    .blocks("init0", bytes("init"))
                    .blocks("s7", bytes("seven"))
                    .blocks("s8", bytes("eight"))
                    .blocks("s9.0", bytes("part"))
                    .blocks("s9.2", bytes("part"))
                    .rendition("480p", rendition);
    private final PlaybackAccess access =
            Viewer.deciding(
                    new PlaybackDecision.Live(
                            List.of(session), true, false, Optional.empty(), Optional.of(counted)));

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @AfterEach
    void nothingIsLeft() {
        session.close();
        rendition.close();
        assertEquals(0, memory.usedBytes());
    }

    private int count() {
        now = now.plusSeconds(1);
        audience.tick();
        return counted.now();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/p/ses_1/media.m3u8",
                "/p/ses_1/init0.mp4",
                SEGMENT,
                "/p/ses_1/s9.2.m4s",
                "/p/ses_1/480p/s7.m4s",
                "/p/~grant/ses_1/s7.m4s"
            })
    void mediaOfTheStream_isCounted(String path) {
        Viewer viewer = new Viewer(access);
        assertTrue(viewer.get(path).startsWith("HTTP/1.1 200 "));
        assertEquals(1, count());
        assertEquals(0, audience.counters().begun(/* bySid= */ true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /p.m3u8",
                "HEAD /p/ses_1/s7.m4s",
                "OPTIONS /p/ses_1/s7.m4s",
                "GET /p/ses_2/media.m3u8",
                "GET /p/thumbnail.jpg?CMCD=sid%3D%22a%22",
                "GET /p/nothing"
            })
    void otherRequests_areNot(String line) {
        Viewer viewer = new Viewer(access);
        viewer.exchange(line + " HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals(0, count());
    }

    @Test
    void aBlockedReload_isCountedWhileItWaits() {
        Viewer viewer = new Viewer(access);
        assertEquals("", viewer.get("/p/ses_1/media.m3u8?_HLS_msn=8&_HLS_part=1"));
        assertEquals(1, count());
        session.reached(8, OptionalInt.of(1), /* available= */ true);
        assertTrue(viewer.received().startsWith("HTTP/1.1 200 "));
        assertEquals(1, count());
    }

    @Test
    void refusedViewers_areNotCounted() {
        new Viewer(Viewer.refusing()).get(SEGMENT);
        assertEquals(0, count());
    }

    @Test
    void playersWithCmcd_areCountedByTheirSession_inQueryOrHeader() {
        Viewer shared = new Viewer(access);
        shared.get(SEGMENT + "?CMCD=br%3D4000%2Cot%3Dv%2Csid%3D%22one%22");
        shared.get("/p/ses_1/s8.m4s?CMCD=sid%3D%22two%22");
        shared.get("/p/ses_1/media.m3u8", "CMCD-Session: sid=\"three\"");
        new Viewer(access).get(SEGMENT, "CMCD-Session: sid=\"one\",st=l");
        new Viewer(access).get("/p/ses_1/480p/s7.m4s?CMCD=sid%3D%22two%22");
        assertEquals(3, count());

        shared.get(SEGMENT + "?CMCD=br%3D4000");
        assertEquals(4, count(), "a report without a session is a viewer by its address");
        assertEquals(3, audience.counters().begun(/* bySid= */ true));
        assertEquals(1, audience.counters().begun(/* bySid= */ false));
    }

    @Test
    void playersOfOneAddress_areDistinguishedByRepeatedMedia() {
        String agent = "User-Agent: VLC";
        Viewer first = new Viewer(access);
        first.get("/p/ses_1/media.m3u8", agent);
        first.get(SEGMENT, agent);
        first.get(SEGMENT, agent);
        assertEquals(1, count(), "the same player again");

        Viewer secondConnection = new Viewer(access);
        secondConnection.get("/p/ses_1/s8.m4s", agent);
        secondConnection.get("/p/ses_1/480p/s7.m4s", agent);
        secondConnection.get("/p/ses_1/s9.2.m4s", agent);
        secondConnection.get(SEGMENT, agent + "\r\nRange: bytes=2-");
        secondConnection.exchange(
                "HEAD " + SEGMENT + " HTTP/1.1\r\nHost: t\r\n" + agent + "\r\n\r\n");
        assertEquals(1, count(), "a player may have several connections");

        new Viewer(access).get(SEGMENT, agent);
        assertEquals(2, count());
        new Viewer(access).get(SEGMENT, "User-Agent: mpv");
        assertEquals(3, count());
        new Viewer(access).get("/p/ses_1/s9.0.m4s", agent);
        new Viewer(access).get("/p/ses_1/s9.0.m4s", agent);
        new Viewer(access).get("/p/ses_1/s9.0.m4s", agent);
        assertEquals(4, count(), "by first parts too");
    }

    @Test
    void reports_areOfSegmentsAndParts() {
        Viewer viewer = new Viewer(access);
        String header = "CMCD-Session: sid=\"one\"\r\n";
        viewer.get("/p.m3u8", header + "CMCD-Object: ot=m\r\nCMCD-Request: su");
        now = now.plusMillis(400);
        viewer.get(SEGMENT, header + "CMCD-Object: ot=av,br=3000\r\nCMCD-Request: su");
        now = now.plusMillis(500);
        viewer.get("/p/ses_1/s8.m4s", header + "CMCD-Object: ot=av,br=3000");
        now = now.plusMillis(1_000);
        viewer.get("/p/ses_1/media.m3u8", header + "CMCD-Status: bs");
        viewer.get(
                "/p/ses_1/s9.0.m4s",
                header + "CMCD-Object: ot=av,br=3000\r\nCMCD-Status: bs,rtp=9");
        assertEquals(1, count());

        ViewerMinute minute = audience.running().getFirst();
        assertEquals(OptionalInt.of(900), minute.startupMs());
        assertEquals(OptionalInt.of(3_000), minute.bitrateKbps());
        assertEquals(1_500, minute.playedMs());
        assertEquals(1_000, minute.stalledMs());
    }

    @Test
    void requestsOverHttp2_areThoseOfTheirPlayers() {
        Http2Viewer viewer = new Http2Viewer(access);
        viewer.get(1, SEGMENT, "user-agent", "browser");
        viewer.get(3, "/p/ses_1/s8.m4s", "user-agent", "browser");
        assertEquals(1, count());
        viewer.get(5, SEGMENT, "cmcd-session", "sid=\"one\"");
        viewer.get(7, "/p/ses_1/media.m3u8?_HLS_msn=8", "cmcd-session", "sid=\"two\"");
        viewer.get(9, "/p/ses_1/s8.m4s?CMCD=sid%3D%22one%22");
        assertEquals(3, count());
        session.reached(8, OptionalInt.empty(), /* available= */ true);
        assertEquals("200", viewer.receive().answer(7).status());
        viewer.leave();
    }

    @Test
    void aPlayerThatComesBack_isCountedAgain() {
        Viewer viewer = new Viewer(access);
        viewer.get(SEGMENT, "CMCD-Session: sid=\"one\"");
        Viewer silent = new Viewer(access);
        silent.get(SEGMENT);
        assertEquals(2, count());
        now = now.plus(Duration.ofSeconds(40));
        assertEquals(0, count());
        viewer.get(SEGMENT, "CMCD-Session: sid=\"one\"");
        silent.get(SEGMENT);
        assertEquals(2, count());
    }

    @Test
    void preflight_allowsTheHeadersOfReports() {
        String answer =
                new Viewer(access)
                        .exchange(
                                "OPTIONS "
                                        + SEGMENT
                                        + " HTTP/1.1\r\nHost: t\r\nOrigin: https://club.example\r\n\r\n");
        assertTrue(answer.contains("CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status"), answer);
    }
}
