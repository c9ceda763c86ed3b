package touchline.api.http;

import java.util.Optional;
import touchline.api.db.StorageRepository;
import touchline.api.db.TranscodingRepository;
import touchline.api.domain.OutputStorage;
import touchline.api.storage.StorageException;
import touchline.api.vod.TaskControl;

/**
 * All borrowed.
 *
 * @param check tests a storage
 * @param receivers rules for addresses of inputs, stores and notifications
 */
public record EncodingDependencies(
        StorageRepository storages,
        TranscodingRepository tasks,
        StorageCheck check,
        TaskControl control,
        ReceiverRules receivers) {
    /** Tests a storage before it is stored. */
    @FunctionalInterface
    public interface StorageCheck {
        /**
         * @throws StorageException with the wrong setting
         */
        void check(OutputStorage storage) throws StorageException;
    }

    /** Checks addresses that clients give. */
    @FunctionalInterface
    public interface ReceiverRules {
        /** The reason to reject an address; empty for an accepted one. */
        Optional<String> refusal(String url);
    }
}
