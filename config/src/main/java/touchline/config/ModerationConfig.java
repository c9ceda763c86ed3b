package touchline.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * {@code moderation}: model folders, inference device, batching and timeouts.
 *
 * @param modelsDir folder of model folders
 * @param demoModels whether the server uses the two demo models
 * @param device {@code auto}, {@code cpu}, {@code cuda} or {@code cuda:N}
 * @param threads of one inference on the CPU; 0 is half of the processors
 * @param batchSize maximum frames per inference; 0 is 1 on the CPU and 16 on a GPU
 * @param batchWait how long a frame waits for its batch to fill
 * @param queueFrames maximum frames in the queue of the inference thread
 * @param gateOpenAfter how long a part waits for a missing verdict; 0 waits without limit
 * @param rejectCutoff position between threshold and 1, as a fraction from 0 to 1; a score above it
 *     is a reject
 */
public record ModerationConfig(
        Path modelsDir,
        boolean demoModels,
        String device,
        int threads,
        int batchSize,
        Duration batchWait,
        int queueFrames,
        Duration gateOpenAfter,
        double rejectCutoff) {
    /** The defaults of {@code application.yaml}, except for values that tests and tools choose. */
    public static ModerationConfig of(Path modelsDir, boolean demoModels, String device) {
        return new ModerationConfig(
                modelsDir,
                demoModels,
                device,
                /* threads= */ 0,
                /* batchSize= */ 0,
                Duration.ofMillis(20),
                /* queueFrames= */ 32,
                Duration.ZERO,
                /* rejectCutoff= */ 0.5);
    }
}
