package touchline.api.home;

import java.util.Optional;
import touchline.api.domain.AssetId;
import touchline.api.domain.FrameName;

/**
 * Keys of objects: {@code {prefix}/assets/{aa}/{asset}/{file}} of an asset, {@code
 * {prefix}/evidence/{aa}/{name}.jpg} of an evidence frame, where {@code aa} are the first two
 * characters of the id's or name's random part, which spread the keys. Immutable.
 *
 * @param prefix without slashes at its ends; may be empty
 */
record ObjectKeys(String prefix) {
    /**
     * Folder of segments that are in no uploaded file yet, below an asset's; ends with a slash.
     * Their names are those of {@link touchline.packager.record.SegmentTail}.
     */
    static final String TAIL = "tail/";

    private static final int SPREAD = 2;
    private static final String FRAME_SUFFIX = ".jpg";

    /** What the keys of all objects of an asset start with; ends with a slash. */
    String folder(AssetId asset) {
        String id = asset.value();
        String random = id.substring(id.indexOf('_') + 1);
        String spread = random.substring(0, Math.min(SPREAD, random.length()));
        return all() + spread + "/" + id + "/";
    }

    /**
     * @param name of the file, relative to the asset's folder, with slashes
     */
    String of(AssetId asset, String name) {
        return folder(asset) + name;
    }

    /** The asset that a key belongs to; empty for a key that this server does not make. */
    Optional<AssetId> assetOf(String key) {
        if (!key.startsWith(all())) {
            return Optional.empty();
        }
        String[] parts = key.substring(all().length()).split("/", 3);
        return parts.length == 3 && AssetId.isSafe(parts[1])
                ? Optional.of(new AssetId(parts[1])).filter(id -> key.startsWith(folder(id)))
                : Optional.empty();
    }

    /** What the keys of all objects of assets start with; ends with a slash. */
    String all() {
        return below("assets/");
    }

    String of(FrameName frame) {
        String name = frame.value();
        return frames() + name.substring(0, SPREAD) + "/" + name + FRAME_SUFFIX;
    }

    /** The evidence frame of a key; empty for a key that this server does not make. */
    Optional<FrameName> frameOf(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        if (!name.endsWith(FRAME_SUFFIX)) {
            return Optional.empty();
        }
        String bare = name.substring(0, name.length() - FRAME_SUFFIX.length());
        return FrameName.isSafe(bare)
                ? Optional.of(new FrameName(bare)).filter(frame -> key.equals(of(frame)))
                : Optional.empty();
    }

    /** What the keys of all evidence frames start with; ends with a slash. */
    String frames() {
        return below("evidence/");
    }

    private String below(String folder) {
        return prefix.isEmpty() ? folder : prefix + "/" + folder;
    }
}
