package touchline.moderation.torchscript;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the operations of Python's pickle protocol 2 that a TorchScript file needs. Names are
 * those of {@code Lib/pickletools.py}. One thread.
 */
final class Pickle {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Pickle() {
        op(0x80).op(2); // PROTO
    }

    /** GLOBAL, EMPTY_TUPLE, NEWOBJ: a new object; its state follows. */
    Pickle newObject(String module, String name) {
        return global(module, name).op(')').op(0x81);
    }

    /** Opens a dictionary; items follow between {@link #mark} and {@link #setItems}. */
    Pickle emptyDict() {
        return op('}');
    }

    Pickle mark() {
        return op('(');
    }

    /** BINUNICODE. */
    Pickle text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        op('X').int32(utf8.length);
        bytes.writeBytes(utf8);
        return this;
    }

    /** NEWFALSE. */
    Pickle falseValue() {
        return op(0x89);
    }

    /** EMPTY_TUPLE. */
    Pickle emptyTuple() {
        return op(')');
    }

    /** SETITEMS. */
    Pickle setItems() {
        return op('u');
    }

    /** BUILD: sets the state of the object below it. */
    Pickle build() {
        return op('b');
    }

    /**
     * {@code torch._utils._rebuild_tensor_v2(storage, offset, sizes, strides, requires_grad,
     * hooks)}, where the storage is the persistent id {@code ("storage", FloatStorage, number,
     * "cpu", count)}.
     */
    Pickle tensor(int number, List<Integer> shape, long count) {
        int floats = Math.toIntExact(count);
        global("torch._utils", "_rebuild_tensor_v2").mark();
        mark().text("storage").global("torch", "FloatStorage");
        text(String.valueOf(number)).text("cpu").integer(floats).op('t').op('Q');
        integer(0);
        mark();
        for (int side : shape) {
            integer(side);
        }
        op('t').mark();
        int stride = floats;
        for (int side : shape) {
            stride /= side;
            integer(stride);
        }
        op('t').falseValue();
        return global("collections", "OrderedDict").op(')').op('R').op('t').op('R');
    }

    /** STOP. */
    byte[] end() {
        op('.');
        return bytes.toByteArray();
    }

    private Pickle global(String module, String name) {
        op('c');
        bytes.writeBytes((module + "\n" + name + "\n").getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** BININT. */
    private Pickle integer(int value) {
        return op('J').int32(value);
    }

    private Pickle int32(int value) {
        bytes.writeBytes(
                ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array());
        return this;
    }

    private Pickle op(int code) {
        bytes.write(code);
        return this;
    }
}
