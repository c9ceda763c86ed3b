package touchline.benchmarks.inference;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.TensorScaler;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.Detection;
import touchline.moderation.Detector;
import touchline.moderation.DetectorLoader;
import touchline.moderation.ModelFolder;

/** A detector without inference: it scales each frame to a tensor of 640x640. */
final class PreparationOnly implements DetectorLoader {
    private static final int SIDE = 640;

    @Override
    public String device() {
        return "cpu";
    }

    @Override
    public int batchSize() {
        return 1;
    }

    @Override
    public Detector load(ModelFolder folder) {
        return new Preparing(folder.name());
    }

    private static final class Preparing implements Detector {
        private final String name;
        private final Arena arena = Arena.ofShared();
        private final MemorySegment tensor = arena.allocate(TensorScaler.sizeBytes(SIDE, SIDE), 64);
        private @Nullable TensorScaler scaler;

        Preparing(String name) {
            this.name = name;
        }

        @Override
        public List<List<Detection>> detect(List<VideoFrame> frames) {
            List<List<Detection>> answers = new ArrayList<>();
            for (VideoFrame frame : frames) {
                TensorScaler open = scaler;
                if (open == null) {
                    open = TensorScaler.open(frame.format(), SIDE, SIDE, /* keepShape= */ true);
                    scaler = open;
                }
                open.scale(frame.view(), tensor);
                answers.add(List.of(new Detection(AlertType.WEAPON, name, 0, Box.NONE)));
            }
            return answers;
        }

        @Override
        public void close() {
            if (scaler != null) {
                scaler.close();
            }
            arena.close();
        }
    }
}
