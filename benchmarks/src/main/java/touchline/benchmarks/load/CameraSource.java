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

    /** Trusted, since it was made here. */
    public static FlvFile flv() throws IOException, InterruptedException {
        return FlvFile.read(file());
    }

    /** Pushed for this long at least. */
    public static PushMedia media(long seconds) throws IOException, InterruptedException {
        return PushMedia.of(flv(), (int) (seconds / SECONDS + 2), /* messageStreamId= */ 1);
    }

    /**
     * 20 s of 720p30, 2.5 Mbit/s constant, B-frames, 2 s GOP, AAC: made once by the ffmpeg tool.
     */
    private static Path file() throws IOException, InterruptedException {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "touchline-bench-720p30-20s.flv");
        if (Files.exists(file)) {
            return file;
        }
        Path partial = Files.createTempFile("touchline-bench", ".flv");
        String video = "testsrc2=size=1280x720:rate=30,noise=alls=12:allf=t";
        String encoder =
                "-c:v libx264 -preset superfast -profile:v main -pix_fmt yuv420p -bf 2 -b:v 2500k"
                        + " -minrate 2500k -maxrate 2500k -bufsize 2500k -nal-hrd cbr -g 60"
                        + " -keyint_min 60 -sc_threshold 0 -c:a aac -b:a 128k -ac 2 -f flv";
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(List.of("-f", "lavfi", "-i", video));
        command.addAll(
                List.of("-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "20"));
        command.addAll(List.of(encoder.split(" ", -1)));
        command.add(partial.toString());
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("ffmpeg exited with " + code + " while making the source");
        }
        return Files.move(partial, file);
    }
}
