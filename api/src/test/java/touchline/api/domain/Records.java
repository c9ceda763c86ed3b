package touchline.api.domain;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;

/** Copies of records for tests. */
public final class Records {
    private Records() {}

    /**
     * The record with another value of one component.
     *
     * @throws RuntimeException what the record's constructor throws
     */
    @SuppressWarnings("unchecked")
    public static <T extends Record> T with(T record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        boolean isFound = false;
        try {
            for (int i = 0; i < components.length; i++) {
                boolean isMeant = components[i].getName().equals(component);
                isFound |= isMeant;
                types[i] = components[i].getType();
                values[i] = isMeant ? value : components[i].getAccessor().invoke(record);
            }
            if (!isFound) {
                throw new AssertionError(record.getClass() + " has no " + component);
            }
            Constructor<?> constructor = record.getClass().getDeclaredConstructor(types);
            return (T) constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw new AssertionError(e);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(record.getClass().getName(), e);
        }
    }
}
