package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import touchline.api.storage.S3Store;

/** Judges outputs of transcoding and the notifications of them, as their receiver would. */
final class OutputJudge {
    private OutputJudge() {}

    static String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> command + "\n" + output);
        return output;
    }

    /** By the headers of Standard Webhooks, under the storage's secret key. */
    static void assertSigned(VodPeers.Notice notice, String secret) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signed =
                notice.header("webhook-id")
                        + "."
                        + notice.header("webhook-timestamp")
                        + "."
                        + notice.body();
        assertEquals(
                "v1,"
                        + Base64.getEncoder()
                                .encodeToString(
                                        mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))),
                notice.header("webhook-signature"));
    }

    /** Fetches all of a task's objects; answers the file that a player is given. */
    static Path download(S3Store store, String output, Path folder) throws Exception {
        String key = output.substring(output.indexOf('/') + 1);
        String task = key.substring(0, key.lastIndexOf('/') + 1);
        Path root = Files.createTempDirectory(folder, "played");
        for (String each : store.keys()) {
            if (each.startsWith(task)) {
                Path file = root.resolve(each.substring(task.length()));
                Files.createDirectories(file.getParent());
                store.download(each, file);
            }
        }
        return root.resolve(key.substring(task.length()));
    }

    /** As ffprobe says. */
    static double durationSeconds(Path media) throws Exception {
        return Double.parseDouble(
                run(List.of(
                                "ffprobe",
                                "-v",
                                "error",
                                "-show_entries",
                                "format=duration",
                                "-of",
                                "csv=p=0",
                                media.toString()))
                        .strip());
    }

    /** Fetches all of a task's objects and decodes the one that a player is given. */
    static void assertPlays(S3Store store, String output, Path folder) throws Exception {
        Path entry = download(store, output, folder);
        assertEquals(
                "",
                run(List.of("ffmpeg", "-v", "error", "-i", entry.toString(), "-f", "null", "-")));
        String codecs =
                run(
                        List.of(
                                "ffprobe",
                                "-v",
                                "error",
                                "-show_entries",
                                "stream=codec_name",
                                "-of",
                                "csv=p=0",
                                entry.toString()));
        assertTrue(codecs.contains("h264") && codecs.contains("aac"), codecs);
    }
}
