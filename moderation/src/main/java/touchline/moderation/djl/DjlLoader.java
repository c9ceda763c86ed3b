package touchline.moderation.djl;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.ModerationConfig;
import touchline.moderation.Detector;
import touchline.moderation.DetectorException;
import touchline.moderation.DetectorLoader;
import touchline.moderation.ModelFolder;

/**
 * Loads models with PyTorch. The first call loads PyTorch itself, so that the server's start does
 * not wait for it. Nothing is downloaded. Any thread.
 *
 * <p>The native libraries come from the folder {@code PYTORCH_LIBRARY_PATH}, if it is set.
 * Otherwise from the jars, unpacked once to {@code DJL_CACHE_DIR} (default: {@code .djl.ai} in the
 * home folder).
 */
public final class DjlLoader implements DetectorLoader {
    private static final Logger log = LoggerFactory.getLogger(DjlLoader.class);

    private static final String LIBRARY_PATH = "PYTORCH_LIBRARY_PATH";
    private static final String CUDA_LIBRARY = "libtorch_cuda.so";

    /** On an H100 a batch of 16 was slower for a small network and for a large one. */
    private static final int GPU_BATCH = 8;

    private final ModerationConfig config;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Device device;

    public DjlLoader(ModerationConfig config) {
        this.config = config;
    }

    @Override
    public String device() {
        Device open = open();
        return open.isGpu() ? "cuda:" + open.getDeviceId() : "cpu";
    }

    @Override
    public int batchSize() {
        if (config.batchSize() > 0) {
            return config.batchSize();
        }
        return open().isGpu() ? GPU_BATCH : 1;
    }

    @Override
    public Detector load(ModelFolder folder) {
        return open(folder);
    }

    /** As {@link #load}, with access to the output's shape. */
    DjlDetector open(ModelFolder folder) {
        return DjlDetector.open(folder, open(), batchSize());
    }

    /** The folder of the host's libtorch; empty when the one in the jars is used. */
    static String libraryPath() {
        String property = System.getProperty(LIBRARY_PATH, "");
        return property.isEmpty() ? System.getenv().getOrDefault(LIBRARY_PATH, "") : property;
    }

    private Device open() {
        lock.lock();
        try {
            Device opened = device;
            if (opened == null) {
                opened = choose();
                device = opened;
            }
            return opened;
        } finally {
            lock.unlock();
        }
    }

    private Device choose() {
        prepare();
        boolean cuda = hasCuda();
        String request = config.device();
        if (request.startsWith("cuda") && !cuda) {
            throw new DetectorException(
                    "moderation.device is %s, but %s names no libtorch with CUDA"
                            .formatted(request, LIBRARY_PATH));
        }
        try {
            Engine engine = Engine.getEngine("PyTorch");
            int gpus = cuda && !request.equals("cpu") ? engine.getGpuCount() : 0;
            int gpu = request.indexOf(':') < 0 ? 0 : Integer.parseInt(request.split(":", -1)[1]);
            if (request.startsWith("cuda") && gpu >= gpus) {
                throw new DetectorException(
                        "moderation.device is %s, but there are %d GPUs with CUDA"
                                .formatted(request, gpus));
            }
            Device chosen = gpus > 0 ? Device.gpu(gpu) : Device.cpu();
            log.info("PyTorch {} runs moderation on {}", engine.getVersion(), chosen);
            return chosen;
        } catch (EngineException | LinkageError | IllegalStateException e) {
            throw new DetectorException("PyTorch cannot be loaded: " + reason(e), e);
        }
    }

    /** Sets the properties that the engine reads when it is loaded; existing ones are kept. */
    private void prepare() {
        int threads = config.threads();
        if (threads == 0) {
            threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        }
        setDefault("ai.djl.offline", "true");
        setDefault("ai.djl.pytorch.graph_optimizer", "false");
        setDefault("ai.djl.pytorch.num_interop_threads", "1");
        setDefault("ai.djl.pytorch.num_threads", String.valueOf(threads));
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static boolean hasCuda() {
        String path = libraryPath();
        return !path.isEmpty() && Files.exists(Path.of(path, CUDA_LIBRARY));
    }

    /** First line of the root cause's message. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        String text = message == null ? root.getClass().getSimpleName() : message;
        String line = text.lines().filter(each -> !each.isBlank()).findFirst().orElse(text);
        return line.length() <= 300 ? line.strip() : line.substring(0, 300) + "...";
    }
}
