package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static touchline.packager.hls.TestMedia.AUDIO;
import static touchline.packager.hls.TestMedia.VIDEO;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.TestMedia.Video;

/** Both forms of a playlist, made once and shared. */
final class PlaylistGzipTest {
    @Test
    void gzip_holdsTheSameText() throws IOException {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO))
                .feed(
                        TestMedia.interleaved(
                                TestMedia.video(new Video(25, 50, 0, 8_000)),
                                TestMedia.audio(0, 8_000)))
                .run();

        RenderedPlaylist text =
                rig.window
                        .mediaPlaylist(PlaylistKind.WINDOW)
                        .toCompletableFuture()
                        .join()
                        .orElseThrow();
        byte[] packed = new byte[text.gzip().sizeBytes()];
        text.gzip().bytes().get(packed);
        String unpacked =
                new String(
                        new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes(),
                        StandardCharsets.UTF_8);
        text.plain().release();
        text.gzip().release();
        assertEquals(rig.playlist(), unpacked);
    }
}
