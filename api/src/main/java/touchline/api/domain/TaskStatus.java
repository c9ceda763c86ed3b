package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The progress of a transcoding task. Immutable.
 *
 * @param progress 0 to 1
 * @param attempts number of starts
 * @param durationUs of its output; empty until that is known
 * @param notes differences that a viewer of the output notices
 * @param error of a failed or canceled task, or of the last try
 * @param startedAt of the first attempt, cut to milliseconds
 * @param finishedAt cut to milliseconds
 */
public record TaskStatus(
        TaskState state,
        double progress,
        int attempts,
        OptionalLong durationUs,
        List<String> notes,
        Optional<TaskError> error,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt) {
    public static final TaskStatus QUEUED =
            new TaskStatus(
                    TaskState.QUEUED,
                    0,
                    0,
                    OptionalLong.empty(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    public TaskStatus {
        notes = List.copyOf(notes);
        startedAt = startedAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
        finishedAt = finishedAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
    }

    public TaskStatus started(Instant at) {
        return new TaskStatus(
                TaskState.RUNNING,
                0,
                attempts + 1,
                OptionalLong.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(startedAt.orElse(at)),
                Optional.empty());
    }

    /** The output is stored. */
    public TaskStatus succeeded(long outputUs, List<String> outputNotes, Instant at) {
        return new TaskStatus(
                TaskState.SUCCEEDED,
                1,
                attempts,
                OptionalLong.of(outputUs),
                outputNotes,
                Optional.empty(),
                startedAt,
                Optional.of(at));
    }

    public TaskStatus failed(TaskError why, Instant at) {
        return over(TaskState.FAILED, why, at);
    }

    public TaskStatus canceled(Instant at) {
        return over(TaskState.CANCELED, new TaskError(TaskError.CANCELED, "canceled"), at);
    }

    private TaskStatus over(TaskState ended, TaskError why, Instant at) {
        return new TaskStatus(
                ended,
                progress,
                attempts,
                OptionalLong.empty(),
                List.of(),
                Optional.of(why),
                startedAt,
                Optional.of(at));
    }

    /** The try failed; another one follows. */
    public TaskStatus again(TaskError why) {
        return new TaskStatus(
                TaskState.QUEUED,
                0,
                attempts,
                OptionalLong.empty(),
                List.of(),
                Optional.of(why),
                startedAt,
                Optional.empty());
    }
}
