package touchline.benchmarks.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a camera's encoder sends: 30 frames a second at a constant bitrate, a GOP of 2 s, AAC.
 * ffmpeg makes each file once; it stays in the temporary folder.
 */
public enum CameraSource {
    /** 720p with B-frames at 2.5 Mbit/s. */
    CAMERA("1280x720-2500k", testFrames("1280x720"), /* bFrames= */ 2, "2500k"),

    /** Small frames, for what is decoded many times. */
    SMALL("320x180-300k", testFrames("320x180"), /* bFrames= */ 2, "300k"),

    /** A rectangle for each demo model; without B-frames a frame arrives at its own time. */
    ALARM(
            "alarm-1280x720-2500k",
            "color=c=0x204020:size=1280x720:rate=30,"
                    + "drawbox=x=100:y=100:w=480:h=320:color=0xFF00FF:t=fill,"
                    + "drawbox=x=800:y=400:w=320:h=240:color=0x00FFFF:t=fill,"
                    + "noise=alls=6:allf=t",
            /* bFrames= */ 0,
            "2500k"),

    /**
     * 720p whose frames carry their number: sixteen cells along the top, bit 0 leftmost, white for
     * 1, each a twentieth of the width. Whole frames, GOPs and AAC frames fit into 32 s (960, 16
     * and 1500), so that the repetition has no gap in time.
     */
    NUMBERED(
            "numbered-1280x720-2500k",
            "nullsrc=size=20x2:rate=30,format=gray,"
                    + "geq=lum='16+219*lt(X,16)*mod(floor(N/pow(2,X)),2)',"
                    + "scale=1280:64:flags=neighbor,format=yuv420p[cells];"
                    + "testsrc2=size=1280x656:rate=30,noise=alls=12:allf=t[frames];"
                    + "[cells][frames]vstack",
            /* bFrames= */ 0,
            "2500k");

    public static final int FRAMES_PER_SECOND = 30;

    private final String file;
    private final String frames;
    private final int bFrames;
    private final String bitrate;

    /**
     * @param file its middle part
     * @param frames graph of ffmpeg's lavfi
     * @param bitrate as ffmpeg spells it
     */
    CameraSource(String file, String frames, int bFrames, String bitrate) {
        this.file = file;
        this.frames = frames;
        this.bFrames = bFrames;
        this.bitrate = bitrate;
    }

    private static String testFrames(String size) {
        return "testsrc2=size=%s:rate=30,noise=alls=12:allf=t".formatted(size);
    }

    /** Duration of the file; {@link PushMedia} repeats it. */
    public int seconds() {
        return this == NUMBERED ? 32 : 20;
    }

    /** The FLV file. */
    public Path path() throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i"));
        command.add(frames);
        command.addAll(
                Command.words(
                        "-f lavfi -i sine=frequency=440:sample_rate=48000 -t %1$d -c:v libx264"
                                + " -preset superfast -profile:v main -pix_fmt yuv420p -bf %2$d"
                                + " -b:v %3$s -minrate %3$s -maxrate %3$s -bufsize %3$s -nal-hrd"
                                + " cbr -g %4$d -keyint_min %4$d -sc_threshold 0 -c:a aac -b:a 128k"
                                + " -ac 2 -f flv",
                        seconds(), bFrames, bitrate, 2 * FRAMES_PER_SECOND));
        if (this == NUMBERED) {
            command.addAll(List.of("-frames:a", "1500"));
        }
        return Command.file("touchline-bench-%s-%ds.flv".formatted(file, seconds()), command);
    }

    /** Media for so many seconds at least. */
    public PushMedia media(long atLeastSeconds) throws IOException, InterruptedException {
        return PushMedia.of(FlvFile.read(path()), (int) (atLeastSeconds / seconds() + 2));
    }
}
