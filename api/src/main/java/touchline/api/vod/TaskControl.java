package touchline.api.vod;

import java.util.List;
import touchline.api.db.TranscodingRepository.Cancellation;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingTask;

/** Port: the control API's calls on tasks. Blocks; any thread. */
public interface TaskControl {
    /** Stores a request with its tasks and starts it. False where its storage was deleted. */
    boolean begin(TranscodingRequest request, List<TranscodingTask> tasks);

    /** Cancels a task. Its output is removed from the storage soon. */
    Cancellation cancel(String task);
}
