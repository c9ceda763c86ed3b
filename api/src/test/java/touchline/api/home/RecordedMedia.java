package touchline.api.home;

import java.io.IOException;
import java.nio.file.Path;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recording;
import touchline.packager.record.RigRecording;

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
        return RigRecording.record(rig, folder);
    }
}
