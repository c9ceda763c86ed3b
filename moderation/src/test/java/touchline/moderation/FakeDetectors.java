package touchline.moderation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Models without weights. The function of {@link #scores} gives the confidence of a frame. Tests
 * can pause inference and make each step fail. Any thread.
 */
public final class FakeDetectors implements DetectorLoader {
    private final Map<String, ToDoubleFunction<VideoFrame>> scores = new ConcurrentHashMap<>();
    private final Map<String, String> failures = new ConcurrentHashMap<>();
    private final Map<String, RuntimeException> unloadable = new ConcurrentHashMap<>();
    private final Map<String, String> unclosable = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final Semaphore passes = new Semaphore(Integer.MAX_VALUE / 2);
    private volatile boolean engineLoaded;
    private volatile int batchSize = 1;
    private volatile int largestBatch;
    private volatile @Nullable RuntimeException deviceFailure;

    /** Writes a model folder that serves the types, with empty weights. */
    public static Path write(Path models, String name, AlertType... types) {
        StringBuilder yaml =
                new StringBuilder(
                        """
                        licence: none
                        task: classifier
                        classes: [calm, alarm]
                        input: {width: 32, height: 32}
                        alerts:
                        """);
        for (AlertType type : types) {
            yaml.append("  ").append(type.wireName()).append(": [alarm]\n");
        }
        try {
            Path folder = Files.createDirectories(models.resolve(name));
            Files.write(folder.resolve("model.pt"), new byte[1]);
            Files.writeString(folder.resolve(ModelSpecReader.FILE), yaml);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the confidence that the model of this folder gives; 0 by default. */
    public FakeDetectors scores(String name, ToDoubleFunction<VideoFrame> confidence) {
        scores.put(name, confidence);
        return this;
    }

    /** Makes every inference of the model fail. */
    public FakeDetectors failing(String name, String reason) {
        failures.put(name, reason);
        return this;
    }

    /** Makes loading the model fail. */
    public FakeDetectors unloadable(String name, String reason) {
        return unloadable(name, new DetectorException(reason));
    }

    /** The same with an exception that no loader should throw. */
    public FakeDetectors unloadable(String name, RuntimeException failure) {
        unloadable.put(name, failure);
        return this;
    }

    /** Makes closing the model throw. */
    public FakeDetectors unclosable(String name, String reason) {
        unclosable.put(name, reason);
        return this;
    }

    /** Makes {@link #device} throw. */
    public FakeDetectors deviceFails(RuntimeException failure) {
        deviceFailure = failure;
        return this;
    }

    public FakeDetectors batchSize(int size) {
        batchSize = size;
        return this;
    }

    /** Pauses inference; {@link #pass} lets some continue. */
    public void hold() {
        passes.drainPermits();
    }

    /** Lets this many inferences continue. */
    public void pass(int inferences) {
        passes.release(inferences);
    }

    /** Models that are loaded and not closed. */
    public int open() {
        return open.get();
    }

    /** Inferences that have started. */
    public int calls() {
        return calls.get();
    }

    public int largestBatch() {
        return largestBatch;
    }

    /** Whether {@link #device} was called. */
    public boolean engineLoaded() {
        return engineLoaded;
    }

    @Override
    public String device() {
        engineLoaded = true;
        RuntimeException failure = deviceFailure;
        if (failure != null) {
            throw failure;
        }
        return "cpu";
    }

    @Override
    public int batchSize() {
        return batchSize;
    }

    @Override
    public Detector load(ModelFolder folder) {
        RuntimeException failure = unloadable.get(folder.name());
        if (failure != null) {
            throw failure;
        }
        open.incrementAndGet();
        return new Fake(folder);
    }

    private final class Fake implements Detector {
        private final ModelFolder folder;
        private boolean closed;

        Fake(ModelFolder folder) {
            this.folder = folder;
        }

        @Override
        public List<List<Detection>> detect(List<VideoFrame> frames) {
            calls.incrementAndGet();
            passes.acquireUninterruptibly();
            largestBatch = Math.max(largestBatch, frames.size());
            String reason = failures.get(folder.name());
            if (reason != null) {
                throw new DetectorException(reason);
            }
            List<List<Detection>> answers = new ArrayList<>();
            for (VideoFrame frame : frames) {
                double confidence = scores.getOrDefault(folder.name(), _ -> 0).applyAsDouble(frame);
                List<Detection> own = new ArrayList<>();
                for (AlertType type : folder.spec().serves()) {
                    own.add(new Detection(type, folder.name(), confidence, Box.WHOLE));
                }
                answers.add(own);
            }
            return answers;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
                String reason = unclosable.get(folder.name());
                if (reason != null) {
                    throw new IllegalStateException(reason);
                }
            }
        }
    }
}
