package touchline.moderation.torchscript;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a TorchScript file: one module with tensors and a {@code forward} method.
 *
 * <p>Source: PyTorch, {@code torch/csrc/jit/serialization}. A zip without compression. The bytes of
 * each entry start at a multiple of 64. Entries:
 *
 * <pre>
 * model/version           "3"
 * model/code/__torch__.py the class: attributes by type, methods as serialised TorchScript
 * model/data.pkl          a pickle: one object of that class, its state a dict of the attributes
 * model/data/N            the N-th tensor's floats, little endian
 * model/constants.pkl     a pickle: the empty tuple
 * </pre>
 *
 * <p>One thread.
 */
public final class TorchScriptFile {
    private static final int ALIGNMENT = 64;
    private static final int LOCAL_HEADER_BYTES = 30;
    private static final int EXTRA_HEADER_BYTES = 4;

    /** A constant time, so that the same input gives the same bytes. */
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private final String name;
    private final String forward;
    private final Map<String, Weights> tensors = new LinkedHashMap<>();

    /**
     * @param shape sides, outermost first
     * @param bytes the floats, little endian
     */
    private record Weights(List<Integer> shape, MemorySegment bytes) {}

    /**
     * A module with one method.
     *
     * @param name of the class, an identifier
     * @param forward lines of the method's body; the input tensor is {@code x}, an own tensor is
     *     {@code self.NAME}
     */
    public TorchScriptFile(String name, String forward) {
        this.name = name;
        this.forward = forward;
    }

    /** Adds a float32 tensor, row-major. */
    public TorchScriptFile tensor(String tensorName, int[] shape, float[] values) {
        int count = 1;
        for (int side : shape) {
            count *= side;
        }
        if (count != values.length) {
            throw new IllegalArgumentException(
                    tensorName + ": " + values.length + " values (expected: " + count + ")");
        }
        ByteBuffer floats = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        floats.asFloatBuffer().put(values);
        List<Integer> sides = Arrays.stream(shape).boxed().toList();
        tensors.put(
                tensorName, new Weights(sides, MemorySegment.ofArray(floats.array()).asReadOnly()));
        return this;
    }

    /** Content of the file. */
    public byte[] toBytes() {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("model/data.pkl", data());
        entries.put("model/code/__torch__.py", code().getBytes(StandardCharsets.UTF_8));
        int number = 0;
        for (Weights weights : tensors.values()) {
            entries.put("model/data/" + number++, weights.bytes().toArray(ValueLayout.JAVA_BYTE));
        }
        entries.put("model/constants.pkl", new Pickle().emptyTuple().end());
        entries.put("model/version", "3\n".getBytes(StandardCharsets.UTF_8));
        return zip(entries);
    }

    private String code() {
        StringBuilder code = new StringBuilder("class " + name + "(Module):\n");
        String names = "";
        for (String tensor : tensors.keySet()) {
            names += "\"" + tensor + "\", ";
        }
        code.append("  __parameters__ = [").append(names).append("]\n  __buffers__ = []\n");
        for (String tensor : tensors.keySet()) {
            code.append("  ").append(tensor).append(" : Tensor\n");
        }
        code.append("  training : bool\n");
        code.append("  def forward(self: __torch__.").append(name).append(",\n");
        code.append("    x: Tensor) -> Tensor:\n");
        forward.lines().forEach(line -> code.append("    ").append(line).append('\n'));
        return code.toString();
    }

    private byte[] data() {
        Pickle pickle = new Pickle().newObject("__torch__", name).emptyDict().mark();
        int number = 0;
        for (Map.Entry<String, Weights> entry : tensors.entrySet()) {
            Weights weights = entry.getValue();
            pickle.text(entry.getKey())
                    .tensor(number++, weights.shape(), weights.bytes().byteSize() / Float.BYTES);
        }
        return pickle.text("training").falseValue().setItems().build().end();
    }

    private static byte[] zip(Map<String, byte[]> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                zip.flush();
                byte[] content = each.getValue();
                ZipEntry entry = new ZipEntry(each.getKey());
                CRC32 checksum = new CRC32();
                checksum.update(content);
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(content.length);
                entry.setCrc(checksum.getValue());
                entry.setTimeLocal(TIME);
                entry.setExtra(padding(bytes.size(), each.getKey()));
                zip.putNextEntry(entry);
                zip.write(content);
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("zip in memory", e);
        }
        return bytes.toByteArray();
    }

    /** An extra field (APPNOTE.TXT, 4.5; PyTorch's id "FB") that aligns the entry's bytes. */
    private static byte[] padding(int offset, String entryName) {
        int header = LOCAL_HEADER_BYTES + entryName.length() + EXTRA_HEADER_BYTES;
        int fill = Math.floorMod(-(offset + header), ALIGNMENT);
        byte[] extra = new byte[EXTRA_HEADER_BYTES + fill];
        extra[0] = 'F';
        extra[1] = 'B';
        extra[2] = (byte) fill;
        return extra;
    }
}
