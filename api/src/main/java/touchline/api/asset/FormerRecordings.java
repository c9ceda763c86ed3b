package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.packager.record.ContinuedRecording;
import touchline.packager.record.Recording;
import touchline.packager.record.RecordingEnd;

/**
 * Folders of recordings that another node has finished, or gone on with, while this one was gone.
 * What the finished asset has is removed here. Segments behind the last one that it has of this
 * node become another asset of the same session, as after a gap. One thread.
 */
final class FormerRecordings {
    private static final Logger log = LoggerFactory.getLogger(FormerRecordings.class);

    /** A file with the id of the asset that has the segments behind the end. */
    private static final String REST = "rest";

    private final AssetService.Dependencies parts;
    private final Set<AssetId> left = new HashSet<>();

    /**
     * @param elsewhere assets with folders here that another node has by now
     */
    FormerRecordings(AssetService.Dependencies parts, Map<AssetId, Boolean> elsewhere) {
        this.parts = parts;
        left.addAll(elsewhere.keySet());
        left.removeIf(parts.folders()::isCopy);
    }

    /** Whether there is nothing left to do. */
    boolean isDone() {
        return left.isEmpty();
    }

    /** Compares folders with what is in the store, of those that are there to their end. */
    void look() {
        if (left.isEmpty()) {
            return;
        }
        try {
            Map<AssetId, Boolean> now =
                    parts.repository()
                            .elsewhere(
                                    left.stream()
                                            .map(AssetId::value)
                                            .collect(Collectors.toUnmodifiableSet()));
            // The others were deleted meanwhile: the next start logs their folders.
            left.retainAll(now.keySet());
            for (Map.Entry<AssetId, Boolean> each : now.entrySet()) {
                if (each.getValue()) {
                    settle(each.getKey());
                    left.remove(each.getKey());
                }
            }
        } catch (IOException | RuntimeException e) {
            log.warn(
                    "a recording that another node has finished is not compared with its folder,"
                            + " will be tried again: {}",
                    e.toString());
        }
    }

    private void settle(AssetId id) throws IOException {
        Optional<Asset> asset = parts.repository().find(id);
        if (asset.isEmpty()) {
            return;
        }
        Path folder = parts.folders().of(id);
        Recording there = parts.playbackIds().files().storedIndex(id);
        Recording here =
                parts.folders().isContinued(id)
                        ? ContinuedRecording.recover(folder)
                        : Recording.recover(folder);
        long last = lastOf(here, there);
        if (!here.segments().isEmpty() && here.segments().getLast().mediaSequence() > last) {
            keep(asset.get(), here, last);
        } else {
            log.info("asset={} was finished by another node, nothing is missing there", id);
        }
        FolderTree.remove(folder);
    }

    /**
     * Number of the last segment here that the finished asset has, -1 if it has none. Where another
     * node has gone on with the recording, it has higher numbers too: no two nodes use the same.
     */
    private static long lastOf(Recording here, Recording there) {
        Set<Long> mine =
                here.segments().stream()
                        .map(Recording.Segment::mediaSequence)
                        .collect(Collectors.toUnmodifiableSet());
        return there.segments().stream()
                .mapToLong(Recording.Segment::mediaSequence)
                .filter(mine::contains)
                .max()
                .orElse(-1);
    }

    private void keep(Asset asset, Recording here, long last) throws IOException {
        Path folder = parts.folders().of(asset.id());
        AssetId id = restOf(folder);
        if (parts.repository().find(id).filter(each -> !each.state().live()).isPresent()) {
            return;
        }
        Path to = parts.folders().of(id);
        FolderTree.remove(to);
        Files.createDirectories(to);
        Recording rest = RecordingEnd.keep(here, folder, last, to);
        Asset made = asset.rest(id, parts.clock().instant());
        if (parts.repository().find(id).isEmpty()) {
            parts.repository().create(made);
        }
        boolean _ =
                parts.store(
                        made.with(
                                AssetState.finished(
                                        rest.durationUs(),
                                        parts.folders().sizeBytes(id),
                                        List.of(),
                                        parts.clock().instant())));
        log.warn(
                "asset={} was finished by another node without its last {} segments:"
                        + " they are asset {}",
                asset.id(),
                rest.segments().size(),
                id);
    }

    /** The same one after a restart. */
    private static AssetId restOf(Path folder) throws IOException {
        Path file = folder.resolve(REST);
        if (Files.exists(file)) {
            String written = Files.readString(file);
            if (AssetId.isSafe(written)) {
                return new AssetId(written);
            }
        }
        AssetId id = AssetId.create();
        Files.writeString(file, id.value());
        return id;
    }
}
