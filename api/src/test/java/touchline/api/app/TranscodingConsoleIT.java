package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transcoding in the console: a storage is added, tasks are started, watched and canceled. */
@Timeout(480)
final class TranscodingConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String TASKS = "/vodencoding/v1/tasks";

    @TempDir private Path folder;

    @Test
    void operator_addsAStorage_watchesCancelsAndUnderstandsTasks() throws Exception {
        Path inputs = Files.createDirectories(folder.resolve("inputs"));
        Clapper.make(inputs.resolve("short.mp4"));
        makeLong(inputs.resolve("long.mp4"));
        try (VodPeers peers = new VodPeers(inputs);
                TestServer server =
                        TestServer.start(
                                folder.resolve("data"),
                                Map.of(
                                        "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                                        "TOUCHLINE_STORAGE_FILE_ROOT", "" + folder.resolve("root"),
                                        "TOUCHLINE_STORAGE_MIN_FREE", "0"));
                TestBrowser browser = TestBrowser.start()) {
            browser.signIn(server);
            browser.evaluate("location.hash = '#/transcoding'");
            browser.await("document.querySelector('#new-storage')", SOON);
            addStorage(browser, "http://10.0.0.1/done");
            browser.await(says("#new-storage [role=alert]", "notify"), SOON);
            addStorage(browser, peers.at("/done").toString());
            browser.await(says("table[aria-label=Storages]", "archive/"), SOON);

            transcode(browser, peers.at("/files/long.mp4").toString());
            browser.await("document.querySelector('progress')?.value > 0", SOON);
            browser.save("transcoding-running.png");
            browser.click("[aria-label^='Cancel task_']");
            browser.click("dialog .danger");
            browser.await(says("table[aria-label=Tasks]", "canceled"), SOON);

            transcode(browser, peers.at("/files/none.mp4").toString());
            browser.await(
                    says("table[aria-label=Tasks]", "1001: The input could not be fetched"), SOON);
            transcode(browser, peers.at("/files/short.mp4").toString());
            browser.await(says("table[aria-label=Tasks] tbody tr", "succeeded"), SOON);
            TestServer.await("all notifications", SOON, () -> peers.notices.size() == 3);
            // The dialog shows what it reads when it opens.
            TestServer.await("all acknowledged", SOON, () -> areAcknowledged(server));
            browser.save("transcoding.png");
            browser.click("table[aria-label=Tasks] tbody tr button");
            browser.await(says("dialog", "Acknowledged"), SOON);
            browser.assertNoPolicyReports();
        }
    }

    private static boolean areAcknowledged(TestServer server) throws Exception {
        for (JsonNode task : server.call("GET", TASKS, "", 200).path("data")) {
            String path = TASKS + "/" + task.path("task_id").asText();
            JsonNode status = server.call("GET", path, "", 200).at("/data/notification/status");
            if (!status.asText().equals("delivered")) {
                return false;
            }
        }
        return true;
    }

    /** Some seconds of work at 1080 lines. */
    private static void makeLong(Path to) throws Exception {
        assertEquals(
                "",
                OutputJudge.run(
                        List.of(
                                "ffmpeg",
                                "-v",
                                "error",
                                "-f",
                                "lavfi",
                                "-i",
                                "testsrc2=s=640x360:r=30:d=40",
                                "-c:v",
                                "libx264",
                                "-preset",
                                "ultrafast",
                                to.toString())));
    }

    private static void addStorage(TestBrowser browser, String notify) throws Exception {
        browser.fill("#new-storage [name=type]", "file");
        browser.fill("#new-storage [name=bucket]", "archive");
        browser.fill("#new-storage [name=notify]", notify);
        browser.evaluate("document.querySelector('#new-storage').requestSubmit()");
    }

    private static void transcode(TestBrowser browser, String input) throws Exception {
        browser.await("document.querySelector('#new-task [name=storage_id]').value", SOON);
        browser.fill("#new-task [name=input]", input);
        browser.fill("#new-task [name=height]", input.contains("long") ? "1080" : "90");
        browser.evaluate("document.querySelector('#new-task').requestSubmit()");
    }

    private static String says(String selector, String text) {
        return "document.querySelector(\"%s\")?.textContent.includes('%s')"
                .formatted(selector, text);
    }
}
