package touchline.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * {@code moderation}: where models lie, what runs them, and how long others wait for them.
 *
 * @param modelsDir folder of model folders
 * @param demoModels whether the two demo models are used
 * @param device {@code auto}, {@code cpu}, {@code cuda} or {@code cuda:N}
 * @param threads of one inference on the processor; 0 is half of the processors
 * @param batchSize frames analysed together at most; 0 is 1 on the processor and 16 on a card
 * @param batchWait how long a frame waits for others of its batch
 * @param queueFrames frames that wait for the inference thread at most
 * @param gateOpenAfter how long a part waits for a verdict that does not come; 0 is for ever
 * @param rejectCutoff share of the way from a threshold to 1 above which is reject, 0 to 1
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
    /** As {@code application.yaml} has it, but for what tests and tools must choose. */
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
