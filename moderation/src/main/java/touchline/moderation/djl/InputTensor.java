package touchline.moderation.djl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.TensorScaler;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.ModelSpec;

/**
 * Memory of a model's input tensor: {@code [batch, 3, height, width]}, float32. PyTorch reads it
 * without a copy: it may be filled again only after the inference. One thread.
 */
final class InputTensor implements AutoCloseable {
    /** Scalers for frames of different sizes; the least recently used one is closed. */
    private static final int MAX_SCALERS = 16;

    private final ModelSpec.Input spec;
    private final int batchSize;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final LinkedHashMap<FrameFormat, TensorScaler> scalers =
            new LinkedHashMap<>(MAX_SCALERS, 0.75f, /* accessOrder= */ true);

    /**
     * Position of the frame in the tensor: {@code fraction = (sample - offset) / size}.
     *
     * @param left in samples of the tensor
     * @param top in samples of the tensor
     * @param width of the frame in samples of the tensor
     * @param height of the frame in samples of the tensor
     */
    record Placement(int left, int top, int width, int height) {}

    InputTensor(ModelSpec.Input spec, int batchSize) {
        this.spec = spec;
        this.batchSize = batchSize;
        this.memory = arena.allocate(batchSize * frameBytes(), 64);
    }

    int width() {
        return spec.width();
    }

    int height() {
        return spec.height();
    }

    /** Scales and normalises the frames; at most {@code batchSize} of them. */
    List<Placement> fill(List<VideoFrame> frames) {
        if (frames.size() > batchSize) {
            throw new IllegalArgumentException(
                    frames.size() + " frames (expected: <= " + batchSize + ")");
        }
        List<Placement> placements = new ArrayList<>(frames.size());
        for (int i = 0; i < frames.size(); i++) {
            VideoFrame frame = frames.get(i);
            TensorScaler scaler = scaler(frame.format());
            MemorySegment slice = memory.asSlice(i * frameBytes(), frameBytes());
            scaler.scale(frame.view(), slice);
            normalise(slice);
            TensorScaler.Area area = scaler.content();
            placements.add(new Placement(area.left(), area.top(), area.width(), area.height()));
        }
        return placements;
    }

    /** The first frames of the batch, for one inference. */
    FloatBuffer buffer(int frames) {
        ByteBuffer bytes = memory.asSlice(0, frames * frameBytes()).asByteBuffer();
        return bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    private void normalise(MemorySegment slice) {
        long plane = (long) spec.width() * spec.height();
        for (int colour = 0; colour < 3; colour++) {
            float mean = spec.mean().get(colour).floatValue();
            float scale = (float) (1 / spec.std().get(colour));
            if (mean == 0 && scale == 1) {
                continue;
            }
            for (long i = colour * plane; i < (colour + 1) * plane; i++) {
                float sample = slice.getAtIndex(ValueLayout.JAVA_FLOAT, i);
                slice.setAtIndex(ValueLayout.JAVA_FLOAT, i, (sample - mean) * scale);
            }
        }
    }

    private TensorScaler scaler(FrameFormat format) {
        TensorScaler known = scalers.get(format);
        if (known != null) {
            return known;
        }
        if (scalers.size() == MAX_SCALERS) {
            Map.Entry<FrameFormat, TensorScaler> oldest = scalers.firstEntry();
            scalers.remove(oldest.getKey());
            oldest.getValue().close();
        }
        boolean keepAspectRatio = spec.resize() == ModelSpec.Resize.LETTERBOX;
        TensorScaler opened =
                TensorScaler.open(format, spec.width(), spec.height(), keepAspectRatio);
        scalers.put(format, opened);
        return opened;
    }

    private long frameBytes() {
        return TensorScaler.sizeBytes(spec.width(), spec.height());
    }

    @Override
    public void close() {
        scalers.values().forEach(TensorScaler::close);
        scalers.clear();
        arena.close();
    }
}
