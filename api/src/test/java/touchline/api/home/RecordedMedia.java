package touchline.api.home;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import touchline.media.SessionId;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;

/** Recordings that a recorder has written. */
public final class RecordedMedia {
    /** Length of a segment of {@link #write}. */
    public static final long SEGMENT_US = 4_000_000;

    private RecordedMedia() {}

    /** Segments of four seconds in one file, which no decoder reads. */
    public static Recording write(Path folder, long firstNumber, int segments) throws IOException {
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), firstNumber, true));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.videoAt(5)))
                .feed(
                        TestMedia.video(
                                new TestMedia.Video(5, 10, 0, segments * SEGMENT_US / 1_000)));
        return write(rig, folder);
    }

    /** Whatever the rig was fed with. */
    public static Recording write(PackagerRig rig, Path folder) throws IOException {
        try (Recorder recorder =
                Recorder.open(
                        new Recorder.Settings(
                                new SessionId("session-1"),
                                folder,
                                Recorder.Purpose.RECORDING,
                                /* minFreeBytes= */ 0),
                        rig.window,
                        new Recorder.Listener() {})) {
            rig.run(PublishBarrier.OPEN, List.of(recorder));
        }
        rig.window.close();
        return Recording.load(folder);
    }
}
