package touchline.api.asset;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;

/** The scaled MP4 of an asset, as {@link Renditions} leaves it. Stateless. */
final class ScaledMovie {
    private ScaledMovie() {}

    /** It does not exist yet. */
    static final class NotYetException extends IOException {
        @Serial private static final long serialVersionUID = 1;
    }

    /** It cannot be created; the message has the reason. */
    static final class RefusedException extends IOException {
        @Serial private static final long serialVersionUID = 1;

        private final String reason;

        RefusedException(String reason) {
            super(reason);
            this.reason = reason;
        }

        @Override
        public String getMessage() {
            return reason;
        }
    }

    /**
     * Blocks.
     *
     * @throws NotYetException if it does not exist yet
     * @throws RefusedException if it cannot be created
     * @throws NoSuchFileException if the asset was deleted
     */
    static StoredMp4 open(Path asset) throws IOException {
        Path folder = asset.resolve(Renditions.FOLDER);
        if (Files.exists(folder.resolve(Recording.INDEX))) {
            return StoredMp4.open(folder);
        }
        Path refused = asset.resolve(Renditions.REFUSED);
        if (Files.exists(refused)) {
            throw new RefusedException("there is no MP4: " + Files.readString(refused).strip());
        }
        if (Files.exists(asset.resolve(Recording.INDEX))) {
            throw new NotYetException();
        }
        throw new NoSuchFileException(asset.toString());
    }
}
