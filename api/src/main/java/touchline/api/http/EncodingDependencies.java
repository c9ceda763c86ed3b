package touchline.api.http;

import java.util.Optional;
import touchline.api.db.StorageRepository;
import touchline.api.db.TranscodingRepository;
import touchline.api.domain.OutputStorage;
import touchline.api.storage.StorageException;
import touchline.api.vod.TaskControl;

/**
 * What the calls of transcoding stand on.
 *
 * @param check tries a storage
 * @param receivers which addresses may be told, fetched from and stored to
 */
public record EncodingDependencies(
        StorageRepository storages,
        TranscodingRepository tasks,
        StorageCheck check,
        TaskControl control,
        ReceiverRules receivers) {
    /** Tries a storage before it is taken. */
    @FunctionalInterface
    public interface StorageCheck {
        /**
         * @throws StorageException naming what is wrong
         */
        void check(OutputStorage storage) throws StorageException;
    }

    /** Judges addresses that clients give. */
    @FunctionalInterface
    public interface ReceiverRules {
        /** Why an address is refused; empty where it may be tried. */
        Optional<String> refusal(String url);
    }
}
