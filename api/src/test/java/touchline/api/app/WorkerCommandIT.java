package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerFiles;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;
import touchline.media.worker.WorkerProcess;

/** The real worker process looks into files. */
class WorkerCommandIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private Path folder;

    @TempDir private Path media;

    private WorkerProcess worker() throws Exception {
        return WorkerProcess.start(
                WorkerLaunch.likeThisJvm(Main.class.getName(), folder, WorkerLimits.DEFAULTS),
                WorkerIsolation.probe(),
                new WorkerFiles(List.of(media), List.of()));
    }

    private static WorkerJob probe(Path file) {
        return new WorkerJob(
                "probe", JsonNodeFactory.instance.objectNode().put("file", file.toString()), SOON);
    }

    @Test
    void probe_realFile_returnsItsStreams_andABadOneIs1003() throws Exception {
        Path good = media.resolve("good.mp4");
        try (Encoder made =
                Encoder.run(
                        "ffmpeg",
                        "-v",
                        "error",
                        "-f",
                        "lavfi",
                        "-i",
                        "testsrc2=size=320x180:rate=25",
                        "-t",
                        "2",
                        "-c:v",
                        "libx264",
                        good.toString())) {
            assertEquals(0, made.await(SOON), made::output);
        }
        Path bad = Files.writeString(media.resolve("bad.mp4"), "no media at all ".repeat(100));
        try (WorkerProcess worker = worker()) {
            JsonNode info = worker.run(probe(good), _ -> {});
            assertEquals(320, info.at("/streams/0/width").asInt(), info::toString);
            assertEquals(2.0, info.path("duration").asDouble(), 0.1);

            WorkerException refused =
                    assertThrows(WorkerException.class, () -> worker.run(probe(bad), _ -> {}));
            var reported =
                    assertInstanceOf(WorkerException.Failure.Reported.class, refused.failure());
            assertEquals(1003, reported.code());
            assertTrue(worker.isAlive(), "a bad file ends the job, not the worker");
        }
    }
}
