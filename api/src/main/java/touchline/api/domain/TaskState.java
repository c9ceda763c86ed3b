package touchline.api.domain;

import java.util.Optional;

/** What a transcoding task is at. */
public enum TaskState {
    /** Waits for its turn, for the first time or again. */
    QUEUED,
    RUNNING,
    /** Its output lies in the storage, and was read back. */
    SUCCEEDED,
    FAILED,
    CANCELED;

    public boolean isOver() {
        return this == SUCCEEDED || this == FAILED || this == CANCELED;
    }

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<TaskState> of(String wireName) {
        return WireNames.find(TaskState.class, wireName);
    }
}
