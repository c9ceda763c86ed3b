package touchline.config;

import java.nio.file.Path;

/** {@code moderation}: where models lie and what runs them. */
public record ModerationConfig(Path modelsDir, boolean demoModels, String device) {}
