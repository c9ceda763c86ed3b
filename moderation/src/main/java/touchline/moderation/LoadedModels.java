package touchline.moderation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.ffmpeg.VideoFrame;

/** The models at work, asked one after the other. The inference thread's alone. */
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

    /** Takes ownership of the detector; one of the same name is closed. */
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

    /** What the models say of a batch, a failing one included; one outcome per frame. */
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
        models.values().forEach(model -> ask(model, batch, answers));
        return answers.stream().map(Answers::outcome).toList();
    }

    private static void ask(Loaded model, List<FrameQueue.Job> batch, List<Answers> answers) {
        List<Integer> asking = new ArrayList<>();
        List<VideoFrame> frames = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            FrameQueue.Job job = batch.get(i);
            if (job.types().stream().anyMatch(model.serves()::contains)) {
                asking.add(i);
                frames.add(job.frame());
            }
        }
        if (asking.isEmpty()) {
            return;
        }
        try {
            List<List<Detection>> detections = model.detector().detect(frames);
            for (int i = 0; i < asking.size(); i++) {
                Set<AlertType> types = batch.get(asking.get(i)).types();
                detections.get(i).stream()
                        .filter(detection -> types.contains(detection.type()))
                        .forEach(answers.get(asking.get(i)).detections()::add);
            }
        } catch (RuntimeException e) {
            if (!(e instanceof DetectorException)) {
                log.error("model {} failed", model.name(), e);
            }
            for (int index : asking) {
                for (AlertType type : batch.get(index).types()) {
                    if (model.serves().contains(type)) {
                        answers.get(index).failures().add(failure(type, model.name(), e));
                    }
                }
            }
        }
    }

    private static FrameReport.Failure failure(AlertType type, String name, RuntimeException e) {
        String message = e.getMessage();
        return new FrameReport.Failure(
                type, name, message == null ? e.getClass().getSimpleName() : message);
    }

    @Override
    public void close() {
        models.values().forEach(model -> model.detector().close());
        models.clear();
    }
}
