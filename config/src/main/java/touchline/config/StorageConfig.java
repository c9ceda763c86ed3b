package touchline.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code storage}.
 *
 * @param minFreeBytes below this limit recording stops and the server sends storage.low_space
 * @param minFreeInodes the same for inodes, which every file takes; 0: not watched
 * @param fileRoot folder for storages of type file; empty disables this type
 * @param retention rules for automatic deletion of assets
 * @param evidence retention of moderation evidence
 * @param home S3 as the home of recordings
 */
public record StorageConfig(
        long minFreeBytes,
        long minFreeInodes,
        Optional<Path> fileRoot,
        RetentionConfig retention,
        EvidenceConfig evidence,
        HomeConfig home) {}
