package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.FeedItem;
import touchline.media.hub.Feed;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LiveRenditions;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.testing.Await;

/** Older segments of a rendition lie on the disk, and leave with its window. */
final class RenditionSpoolTest {
    @TempDir private Path folder;

    @Test
    void olderSegments_areFiles_andTheirFolderGoesWithTheWindow() throws Exception {
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 100, false));
        RenditionSpool spool = new RenditionSpool(folder, new DiskSpace.Least(0, 0));
        LiveRenditions renditions = new LiveRenditions(rig.window, rig.memory, spool);
        Feed feed = new Feed();
        renditions.start("480p", feed.subscribe("480p", 1 << 20));
        List<FeedItem> items =
                TestMedia.interleaved(
                        TestMedia.video(new TestMedia.Video(30, 60, 0, 20_000)),
                        TestMedia.audio(0, 20_000));
        feed.offer(TestMedia.timeline(0, 0, TestMedia.VIDEO));
        items.forEach(feed::offer);
        feed.flush();
        feed.end();
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO)).feed(items).run();
        Path own = folder.resolve("session-1-480p.100");
        LivePlayback playback = await(rig);
        Await.until(() -> isFile(playback));
        try (MediaBody body = playback.segment(100).orElseThrow()) {
            assertTrue(((MediaBody.FileRange) body).file().startsWith(own), body::toString);
        }
        rig.window.close();
        Await.until(() -> Files.notExists(own));
        Await.until(() -> rig.memory.liveBlocks() == 0);
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
        assertFalse(renditions.list().getFirst().running());
    }

    private static boolean isFile(LivePlayback playback) {
        Optional<MediaBody> body = playback.segment(100);
        body.ifPresent(MediaBody::close);
        return body.filter(MediaBody.FileRange.class::isInstance).isPresent();
    }

    private static LivePlayback await(PackagerRig rig) throws Exception {
        Await.until(() -> rig.window.rendition("480p").isPresent());
        return rig.window.rendition("480p").orElseThrow();
    }
}
