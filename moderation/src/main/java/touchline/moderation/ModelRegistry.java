package touchline.moderation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.ModerationConfig;

/**
 * The model folders: finds them, loads them on a thread of its own, and looks every other second
 * whether one has come, changed or gone. A folder is loaded anew once it has stood unchanged from
 * one look to the next, and the old model works until the new one does.
 */
final class ModelRegistry implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ModelRegistry.class);

    private static final long LOOK_MS = 2_000;

    private final ModerationConfig config;
    private final Path demoFolder;
    private final DetectorLoader loader;
    private final InferenceScheduler detectors;
    private final Runnable onChange;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("model-shelf").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Standing> models = new TreeMap<>();

    /** What a folder looked like a look ago; the thread's alone after {@link #start}. */
    private Map<String, String> seen = Map.of();

    private volatile String device = "unknown";

    /**
     * @param print names, sizes and times of the files it was loaded from
     */
    private record Standing(ModelStatus status, String print) {}

    /**
     * @param demoFolder where demo models are made that the models folder lacks
     * @param onChange run after the state of models has changed, on the shelf's thread
     */
    ModelRegistry(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            InferenceScheduler detectors,
            Runnable onChange) {
        this.config = config;
        this.demoFolder = demoFolder;
        this.loader = loader;
        this.detectors = detectors;
        this.onChange = onChange;
    }

    /** Reads every model.yaml at once, and begins to load. */
    void start() {
        Map<String, Path> folders = folders();
        folders.forEach((name, path) -> note(name, path, status(path)));
        seen = prints(folders);
        thread.start();
    }

    List<ModelStatus> models() {
        lock.lock();
        try {
            return models.values().stream().map(Standing::status).toList();
        } finally {
            lock.unlock();
        }
    }

    String device() {
        return device;
    }

    private void run() {
        try {
            device = loader.device();
            folders().forEach(this::load);
            detectors.release(loader.batchSize());
        } catch (DetectorException e) {
            log.warn("moderation: {}", e.reason());
            breakAll(e.reason());
            detectors.release(1);
        }
        onChange.run();
        try {
            while (!closed.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        Map<String, Path> folders = folders();
        Map<String, String> now = prints(folders);
        boolean changed = false;
        for (Map.Entry<String, Path> entry : folders.entrySet()) {
            String name = entry.getKey();
            String print = now.getOrDefault(name, "");
            boolean stands = print.equals(seen.get(name));
            if (stands && !print.equals(loadedPrint(name).orElse(null))) {
                log.info("model {} has changed", name);
                load(name, entry.getValue());
                changed = true;
            }
        }
        for (ModelStatus model : models()) {
            if (!folders.containsKey(model.name())) {
                log.info("model {} has gone", model.name());
                detectors.remove(model.name());
                forget(model.name());
                changed = true;
            }
        }
        seen = now;
        if (changed) {
            onChange.run();
        }
    }

    private void load(String name, Path path) {
        ModelStatus status = status(path);
        if (status.state() == ModelStatus.State.LOADING) {
            // An old one still works, and is told of as loading meanwhile.
            note(name, path, status);
            try {
                ModelFolder folder = ModelSpecReader.read(path);
                detectors.install(name, folder.spec().serves(), loader.load(folder));
                status = with(status, ModelStatus.State.READY, Optional.empty());
            } catch (DetectorException e) {
                status = with(status, ModelStatus.State.BROKEN, Optional.of(e.reason()));
            } catch (RuntimeException | LinkageError e) {
                log.error("model {} cannot be loaded", name, e);
                status = with(status, ModelStatus.State.BROKEN, Optional.of(e.toString()));
            }
        }
        if (status.state() != ModelStatus.State.READY) {
            detectors.remove(name);
        }
        status.reason().ifPresent(reason -> log.warn("model {}: {}", name, reason));
        note(name, path, status);
    }

    /** What the folder's model.yaml makes of it, before it is loaded. */
    private ModelStatus status(Path path) {
        String name = String.valueOf(path.getFileName());
        try {
            ModelSpec spec = ModelSpecReader.read(path).spec();
            boolean unused = spec.demo() && !config.demoModels();
            return new ModelStatus(
                    name,
                    spec.serves(),
                    spec.demo(),
                    spec.licence(),
                    unused ? ModelStatus.State.UNUSED : ModelStatus.State.LOADING,
                    Optional.empty());
        } catch (DetectorException e) {
            return new ModelStatus(
                    name,
                    Set.of(),
                    /* demo= */ false,
                    /* licence= */ "",
                    ModelStatus.State.BROKEN,
                    Optional.of(e.reason()));
        }
    }

    private static ModelStatus with(
            ModelStatus status, ModelStatus.State state, Optional<String> reason) {
        return new ModelStatus(
                status.name(), status.serves(), status.demo(), status.licence(), state, reason);
    }

    private void note(String name, Path path, ModelStatus status) {
        lock.lock();
        try {
            models.put(name, new Standing(status, print(path)));
        } finally {
            lock.unlock();
        }
    }

    private void forget(String name) {
        lock.lock();
        try {
            models.remove(name);
        } finally {
            lock.unlock();
        }
    }

    private void breakAll(String reason) {
        lock.lock();
        try {
            models.replaceAll(
                    (_, standing) ->
                            standing.status().state() == ModelStatus.State.LOADING
                                    ? new Standing(
                                            with(
                                                    standing.status(),
                                                    ModelStatus.State.BROKEN,
                                                    Optional.of(reason)),
                                            standing.print())
                                    : standing);
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> loadedPrint(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(models.get(name)).map(Standing::print);
        } finally {
            lock.unlock();
        }
    }

    /** Folders by name; those of the models folder go before the demo models made here. */
    private Map<String, Path> folders() {
        Map<String, Path> folders = new TreeMap<>();
        if (config.demoModels()) {
            for (DemoModels demo : DemoModels.values()) {
                if (!Files.isDirectory(config.modelsDir().resolve(demo.folder()))) {
                    Path made = demoFolder.resolve(demo.folder());
                    folders.put(
                            demo.folder(), Files.isDirectory(made) ? made : demo.write(demoFolder));
                }
            }
        }
        try (Stream<Path> entries = Files.list(config.modelsDir())) {
            entries.filter(Files::isDirectory)
                    .filter(path -> !String.valueOf(path.getFileName()).startsWith("."))
                    .forEach(path -> folders.put(String.valueOf(path.getFileName()), path));
        } catch (IOException e) {
            log.debug("{} cannot be read: {}", config.modelsDir(), e.toString());
        }
        return folders;
    }

    private static Map<String, String> prints(Map<String, Path> folders) {
        Map<String, String> prints = new TreeMap<>();
        folders.forEach((name, path) -> prints.put(name, print(path)));
        return prints;
    }

    /** Path, name, size and time of every file in the folder. */
    private static String print(Path folder) {
        List<String> files = new ArrayList<>(List.of(folder.toString()));
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path file : entries.sorted().toList()) {
                files.add(
                        "%s %d %s"
                                .formatted(
                                        file.getFileName(),
                                        Files.size(file),
                                        Files.getLastModifiedTime(file)));
            }
        } catch (IOException e) {
            files.add(e.getClass().getSimpleName());
        }
        return String.join("\n", files);
    }

    /** A load that runs is waited for, some seconds. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
