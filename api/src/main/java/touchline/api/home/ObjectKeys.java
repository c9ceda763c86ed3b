package touchline.api.home;

import java.util.Optional;
import touchline.api.domain.AssetId;

/**
 * Keys of an asset's objects: {@code {prefix}/assets/{aa}/{asset}/{file}}, where {@code aa} are the
 * first two characters of the id's random part, which spread the keys. Immutable.
 *
 * @param prefix without slashes at its ends; may be empty
 */
record ObjectKeys(String prefix) {
    private static final int SPREAD = 2;

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

    /** What the keys of all objects start with; ends with a slash. */
    String all() {
        return prefix.isEmpty() ? "assets/" : prefix + "/assets/";
    }
}
