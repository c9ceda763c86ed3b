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
            numberedFrames("1280", "64", "656"),
            /* bFrames= */ 0,
            "2500k"),

    /**
     * The same at 640x360, for several players at once; 96 s, so that a player may be far behind.
     */
    NUMBERED_SMALL(
            "numbered-640x360-700k", numberedFrames("640", "32", "328"), /* bFrames= */ 0, "700k"),

    /** The same at 480x270: an encoder that returns with another size. */
    NUMBERED_SMALLER(
            "numbered-480x270-500k", numberedFrames("480", "24", "246"), /* bFrames= */ 0, "500k");

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

    /**
     * @param width of the frame
     * @param cells height of the cells
     * @param rest height of the frame below them
     */
    private static String numberedFrames(String width, String cells, String rest) {
        return "nullsrc=size=20x2:rate=30,format=gray,"
                + "geq=lum='16+219*lt(X,16)*mod(floor(N/pow(2,X)),2)',"
                + "scale=%1$s:%2$s:flags=neighbor,format=yuv420p[cells];".formatted(width, cells)
                + "testsrc2=size=%1$sx%2$s:rate=30,noise=alls=12:allf=t[frames];"
                        .formatted(width, rest)
                + "[cells][frames]vstack";
    }

    /** Duration of the file; {@link PushMedia} repeats it. */
    public int seconds() {
        return switch (this) {
            case CAMERA, SMALL, ALARM -> 20;
            case NUMBERED -> 32;
            case NUMBERED_SMALL, NUMBERED_SMALLER -> 96;
        };
    }

    private boolean isNumbered() {
        return seconds() % 32 == 0;
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
        if (isNumbered()) {
            // 48,000 / 1024 AAC frames a second: a whole number in 32 s.
            command.addAll(List.of("-frames:a", String.valueOf(seconds() / 32 * 1500)));
        }
        return Command.file("touchline-bench-%s-%ds.flv".formatted(file, seconds()), command);
    }

    /** Media for so many seconds at least. */
    public PushMedia media(long atLeastSeconds) throws IOException, InterruptedException {
        return PushMedia.of(FlvFile.read(path()), (int) (atLeastSeconds / seconds() + 2));
    }
}
