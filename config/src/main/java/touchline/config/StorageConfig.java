package touchline.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code storage}.
 *
 * @param minFreeBytes below it recording stops and storage.low_space is sent
 * @param fileRoot where storages of type file may write; empty refuses them
 * @param retention which assets are deleted without being asked
 * @param evidence how long what moderation has seen is kept
 */
public record StorageConfig(
        long minFreeBytes,
        Optional<Path> fileRoot,
        RetentionConfig retention,
        EvidenceConfig evidence) {}
