package touchline.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a camera's encoder sends: made once on this machine, kept in the temporary folder. */
public final class CameraSource {
    /** {@link PushMedia} repeats it. */
    public static final int SECONDS = 20;

    private CameraSource() {}

    private static final Look CAMERA =
            new Look("1280x720-2500k", testFrame("1280x720"), /* bFrames= */ 2, "2500k");

    /** For what is decoded many times. */
    private static final Look SMALL =
            new Look("320x180-300k", testFrame("320x180"), /* bFrames= */ 2, "300k");

    /** A rectangle for each demo model; without B-frames a frame arrives at its own time. */
    private static final Look ALARM =
            new Look(
                    "alarm-1280x720-2500k",
                    "color=c=0x204020:size=1280x720:rate=30,"
                            + "drawbox=x=100:y=100:w=480:h=320:color=0xFF00FF:t=fill,"
                            + "drawbox=x=800:y=400:w=320:h=240:color=0x00FFFF:t=fill,"
                            + "noise=alls=6:allf=t",
                    /* bFrames= */ 0,
                    "2500k");

    /**
     * @param name of the file
     * @param frame as ffmpeg's lavfi makes it
     * @param bitrate constant, as ffmpeg spells it
     */
    private record Look(String name, String frame, int bFrames, String bitrate) {}

    private static String testFrame(String size) {
        return "testsrc2=size=%s:rate=30,noise=alls=12:allf=t".formatted(size);
    }

    /** Trusted, since it was made here. */
    public static FlvFile flv() throws IOException, InterruptedException {
        return FlvFile.read(file(CAMERA));
    }

    /** The file itself. */
    public static Path path() throws IOException, InterruptedException {
        return file(CAMERA);
    }

    /** As {@link #media}, with small frames of few bits. */
    public static PushMedia smallMedia(long seconds) throws IOException, InterruptedException {
        return PushMedia.of(
                FlvFile.read(file(SMALL)), (int) (seconds / SECONDS + 2), /* messageStreamId= */ 1);
    }

    /** As {@link #media}, with frames that both demo models find something in. */
    public static PushMedia alarmMedia(long seconds) throws IOException, InterruptedException {
        return PushMedia.of(
                FlvFile.read(file(ALARM)), (int) (seconds / SECONDS + 2), /* messageStreamId= */ 1);
    }

    /** Pushed for this long at least. */
    public static PushMedia media(long seconds) throws IOException, InterruptedException {
        return PushMedia.of(flv(), (int) (seconds / SECONDS + 2), /* messageStreamId= */ 1);
    }

    /** 20 s of 30 frames a second, constant rate, 2 s GOP, AAC: made once by the ffmpeg tool. */
    private static Path file(Look look) throws IOException, InterruptedException {
        Path file =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "touchline-bench-%s-20s.flv".formatted(look.name()));
        if (Files.exists(file)) {
            return file;
        }
        Path partial = Files.createTempFile("touchline-bench", ".flv");
        String encoder =
                "-c:v libx264 -preset superfast -profile:v main -pix_fmt yuv420p -bf %2$d -b:v %1$s"
                        + " -minrate %1$s -maxrate %1$s -bufsize %1$s -nal-hrd cbr -g 60"
                        + " -keyint_min 60 -sc_threshold 0 -c:a aac -b:a 128k -ac 2 -f flv";
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(List.of("-f", "lavfi", "-i", look.frame()));
        command.addAll(
                List.of("-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "20"));
        command.addAll(List.of(encoder.formatted(look.bitrate(), look.bFrames()).split(" ", -1)));
        command.add(partial.toString());
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("ffmpeg exited with " + code + " while making the source");
        }
        return Files.move(partial, file);
    }
}
