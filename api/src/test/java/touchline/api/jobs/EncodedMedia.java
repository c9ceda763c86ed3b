package touchline.api.jobs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.record.Recording;
import touchline.packager.record.RigRecording;

/** Two seconds of really encoded video and audio, as an MP4 file and as a recording. */
public final class EncodedMedia {
    public static final int WIDTH = 320;
    public static final int HEIGHT = 240;
    public static final int FRAMES_PER_SECOND = 25;
    public static final int FRAMES = 50;

    /** Decode order; a key frame each second, and no B-frames. */
    public static final List<AccessUnit> VIDEO = video();

    private static final int SAMPLE_RATE_HZ = 44_100;
    private static final List<AccessUnit> AUDIO =
            TestMedia.audio(
                    new AudioSettings(SAMPLE_RATE_HZ, 2, 96_000),
                    TestMedia.tones(SAMPLE_RATE_HZ, 2 * SAMPLE_RATE_HZ, 440, 660));

    private EncodedMedia() {}

    private static List<AccessUnit> video() {
        return TestMedia.video(
                VideoSettings.live(
                                new FrameFormat(WIDTH, HEIGHT, Colour.BT709),
                                FrameRate.of(FRAMES_PER_SECOND),
                                TestMedia.encoder())
                        .with(new VideoSettings.Gop(FRAMES_PER_SECOND, /* bFrames= */ 0))
                        .with(
                                new VideoSettings.Tuning(
                                        VideoSettings.Speed.ULTRAFAST,
                                        /* threads= */ 1,
                                        /* lowDelay= */ true)),
                FRAMES);
    }

    /** Writes a plain MP4 file. */
    public static Path mp4(Path file) {
        List<AccessUnit> units = new ArrayList<>(VIDEO);
        units.addAll(AUDIO);
        TestMedia.writeMp4(file, units, /* rotationDegrees= */ 0);
        return file;
    }

    /** Records both with a recorder, into a folder that is empty or not there. */
    public static Recording record(Path folder) throws IOException {
        PackagerRig rig =
                new PackagerRig(
                        PackagerRig.settings(
                                LatencyProfile.standard(),
                                /* firstMediaSequence= */ 0,
                                /* recorded= */ true));
        rig.feed(
                        touchline.packager.hls.TestMedia.timeline(
                                0, 0, VIDEO.getFirst().track(), AUDIO.getFirst().track()))
                .feed(new ArrayList<FeedItem>(inOrder()));
        return RigRecording.record(rig, folder);
    }

    private static List<AccessUnit> inOrder() {
        List<AccessUnit> units = new ArrayList<>(VIDEO);
        units.addAll(AUDIO);
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return units;
    }
}
