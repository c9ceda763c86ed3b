package touchline.benchmarks.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the ffmpeg command line says of a file or an address.
 *
 * @param frames how many it decoded
 * @param complaint what it found wrong; empty where nothing
 */
record Decoded(long frames, String complaint) {
    /** Decodes audio and video to the end. */
    static Decoded of(String address) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("touchline-decode", ".log");
        try {
            Process process =
                    new ProcessBuilder(
                                    List.of(
                                            "ffmpeg",
                                            "-v",
                                            "error",
                                            "-i",
                                            address,
                                            "-vsync",
                                            "passthrough",
                                            "-f",
                                            "framecrc",
                                            "pipe:"))
                            .redirectError(errors.toFile())
                            .start();
            long frames = 0;
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8))) {
                String line;
                while ((line = lines.readLine()) != null) {
                    // Stream 0 holds the frames: "0, dts, pts, duration, size, crc".
                    frames += line.startsWith("0,") ? 1 : 0;
                }
            }
            int exit = process.waitFor();
            String said = Files.readString(errors).strip();
            return new Decoded(frames, exit == 0 ? said : "exit " + exit + " " + said);
        } finally {
            Files.delete(errors);
        }
    }
}
