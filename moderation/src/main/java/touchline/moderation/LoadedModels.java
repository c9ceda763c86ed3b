package touchline.moderation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.ffmpeg.VideoFrame;

/** The installed models. Runs each batch through one model after the other. Inference thread. */
final class LoadedModels implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LoadedModels.class);

    private final Map<String, Loaded> models = new LinkedHashMap<>();

    private record Loaded(String name, Set<AlertType> serves, Detector detector) {}

    /** Answers for one frame of a batch, filled model by model. */
    private record Answers(List<Detection> detections, List<FrameReport.Failure> failures) {
        InferenceScheduler.Outcome outcome() {
            return new InferenceScheduler.Outcome.Analysed(
                    List.copyOf(detections), List.copyOf(failures));
        }
    }

    /** Takes ownership of the detector; closes an older one of the same name. */
    void put(String name, Set<AlertType> serves, Detector detector) {
        Loaded before = models.put(name, new Loaded(name, serves, detector));
        if (before != null) {
            before.detector().close();
        }
    }

    void remove(String name) {
        Loaded before = models.remove(name);
        if (before != null) {
            before.detector().close();
        }
    }

    /** One outcome for each frame of the batch, in order. A failing model does not fail others. */
    List<InferenceScheduler.Outcome> analyse(List<FrameQueue.Job> batch) {
        List<Answers> answers = new ArrayList<>(batch.size());
        for (FrameQueue.Job job : batch) {
            Answers own = new Answers(new ArrayList<>(), new ArrayList<>());
            for (AlertType type : job.types()) {
                if (models.values().stream().noneMatch(each -> each.serves().contains(type))) {
                    own.failures()
                            .add(new FrameReport.Failure(type, "", "no model serves this type"));
                }
            }
            answers.add(own);
        }
        models.values().forEach(model -> detect(model, batch, answers));
        return answers.stream().map(Answers::outcome).toList();
    }

    /** Runs one model on the frames whose requested types it serves. */
    private static void detect(Loaded model, List<FrameQueue.Job> batch, List<Answers> answers) {
        List<Integer> indexes = new ArrayList<>();
        List<VideoFrame> frames = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            FrameQueue.Job job = batch.get(i);
            if (job.types().stream().anyMatch(model.serves()::contains)) {
                indexes.add(i);
                frames.add(job.frame());
            }
        }
        if (indexes.isEmpty()) {
            return;
        }
        try {
            List<List<Detection>> detections = model.detector().detect(frames);
            for (int i = 0; i < indexes.size(); i++) {
                Set<AlertType> types = batch.get(indexes.get(i)).types();
                detections.get(i).stream()
                        .filter(detection -> types.contains(detection.type()))
                        .forEach(answers.get(indexes.get(i)).detections()::add);
            }
        } catch (RuntimeException | Error e) {
            if (!(e instanceof DetectorException)) {
                log.error("model {} failed", model.name(), e);
            }
            for (int index : indexes) {
                for (AlertType type : batch.get(index).types()) {
                    if (model.serves().contains(type)) {
                        answers.get(index).failures().add(failure(type, model.name(), e));
                    }
                }
            }
        }
    }

    private static FrameReport.Failure failure(AlertType type, String name, Throwable e) {
        String message = e.getMessage();
        return new FrameReport.Failure(
                type, name, message == null ? e.getClass().getSimpleName() : message);
    }

    /** Closes every model, also after one that fails to close. */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (Loaded model : models.values()) {
            failure = close(model, failure);
        }
        models.clear();
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable RuntimeException close(
            Loaded model, @Nullable RuntimeException earlier) {
        try {
            model.detector().close();
            return earlier;
        } catch (RuntimeException e) {
            if (earlier == null) {
                return e;
            }
            earlier.addSuppressed(e);
            return earlier;
        }
    }
}
