package touchline.api.domain;

import java.util.Optional;

/** States of a transcoding task. */
public enum TaskState {
    /** Waits for its first try or for another one. */
    QUEUED,
    RUNNING,
    /** The output is in the storage and verified. */
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
