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

    private static final Look CAMERA = new Look("1280x720", "2500k");

    /** For what is decoded many times. */
    private static final Look SMALL = new Look("320x180", "300k");

    /**
     * @param size in pixels
     * @param bitrate constant, as ffmpeg spells it
     */
    private record Look(String size, String bitrate) {}

    /** Trusted, since it was made here. */
    public static FlvFile flv() throws IOException, InterruptedException {
        return FlvFile.read(file(CAMERA));
    }

    /** The file itself. */
    public static Path path() throws IOException, InterruptedException {
        return file(CAMERA);
    }

    /** As {@link #media}, with small pictures of few bits. */
    public static PushMedia smallMedia(long seconds) throws IOException, InterruptedException {
        return PushMedia.of(
                FlvFile.read(file(SMALL)), (int) (seconds / SECONDS + 2), /* messageStreamId= */ 1);
    }

    /** Pushed for this long at least. */
    public static PushMedia media(long seconds) throws IOException, InterruptedException {
        return PushMedia.of(flv(), (int) (seconds / SECONDS + 2), /* messageStreamId= */ 1);
    }

    /**
     * 20 s of 30 pictures a second, constant rate, B-frames, 2 s GOP, AAC: made once by the ffmpeg
     * tool.
     */
    private static Path file(Look look) throws IOException, InterruptedException {
        Path file =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "touchline-bench-%s-%s-20s.flv".formatted(look.size(), look.bitrate()));
        if (Files.exists(file)) {
            return file;
        }
        Path partial = Files.createTempFile("touchline-bench", ".flv");
        String video = "testsrc2=size=%s:rate=30,noise=alls=12:allf=t".formatted(look.size());
        String encoder =
                "-c:v libx264 -preset superfast -profile:v main -pix_fmt yuv420p -bf 2 -b:v %1$s"
                        + " -minrate %1$s -maxrate %1$s -bufsize %1$s -nal-hrd cbr -g 60"
                        + " -keyint_min 60 -sc_threshold 0 -c:a aac -b:a 128k -ac 2 -f flv";
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(List.of("-f", "lavfi", "-i", video));
        command.addAll(
                List.of("-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "20"));
        command.addAll(List.of(encoder.formatted(look.bitrate()).split(" ", -1)));
        command.add(partial.toString());
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("ffmpeg exited with " + code + " while making the source");
        }
        return Files.move(partial, file);
    }
}
