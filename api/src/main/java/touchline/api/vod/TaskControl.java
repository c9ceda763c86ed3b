package touchline.api.vod;

import java.util.List;
import touchline.api.db.TranscodingRepository.Cancellation;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingTask;

/** Port: what the control API does with tasks. Blocks; any thread. */
public interface TaskControl {
    /** Stores a request with its tasks and begins; false where its storage is gone. */
    boolean begin(TranscodingRequest request, List<TranscodingTask> tasks);

    /** Cancels a task; what of its output is in the storage already is removed soon. */
    Cancellation cancel(String task);
}
